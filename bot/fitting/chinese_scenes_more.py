"""More Chinese scenes."""

SCRIPT = """
== roommate reason:vice n:few place:city
A leave: 我要搬出去了。
 / 我决定自己租房住。
B: 啊？是因为<没洗碗|我唱歌|那只猫>？
A why: 因为你偷吃我的麦片还不承认。
 / 你用了我的牙刷，{B}，两次！
 / 我要搬走是因为你老偷吃我的东西，{B}。
C take: 那大房间归我行吗？
 / 大房间我要了！
B: {C}！人还没走呢！
A where: 我在{place}找了个单间。
 / {place}有套小公寓不错。
 / 我找到新房子了，在{place}，小公寓。
B deal: 你别走，我洗{n}个月的衣服。
 / 你要是留下，{n}个月的碗我全包了。
 / 我的条件：你留下，衣服我洗{n}个月。
A?: 翻一倍再说。
Q why why: {A}为什么要搬走？
 / {B}做了什么惹{A}要走？
Q who take: 谁想要大房间？
 / 谁惦记{A}的房间？
Q where where: {A}的新房子在哪儿？
Q what deal: {B}用什么条件留{A}？
 / {B}答应做{n}个月的什么？
Q what leave: {A}做了什么决定？
== haircut colour:colour kin:kin e:weekday
A: 谁也别说话。
 / 不许笑。
B look: 我的天，你的头发是{colour}的！
 / 这……{colour}，你头发是{colour}。
 / 这颜色！你的头发成{colour}的了，{A}！
A: 我说了别说话！
C who: 谁给你弄的？
 / 你还花钱了？
A did: 我{kin}弄的，免费。
 / 我让{kin}帮忙的，行了吧？
 / 头发是我{kin}在厨房给我染的。
A why: {e}有个试镜，他们要个狂野的。
 / {e}同学聚会，我想换个形象。
 / 换发型是因为{e}有个试镜。
B fix: 戴帽子吧，我有一顶带耳朵的。
 / 我认识个人，可以全剃光。
 / 你这头发只有一个解决办法：戴帽子。
Q what look: {A}的头发是什么颜色？
 / {A}哪里变样了？
Q who did: {A}的头发是谁弄的？
 / 谁给{A}做的头发？
Q why why: {A}为什么要换发型？
Q when why: {A}哪天要见人？
Q how fix: {B}想怎么解决头发的问题？
 / {B}给{A}出了什么招？
== dinner dish:dish kin:kin n:few day:weekday
A coming: 我{kin}{day}要来吃晚饭，救救我。
 / {day}我{kin}要来，可我不会做饭！
 / {day}我要给{kin}做晚饭，最重要的客人。
B: 你打算做什么？
A dish: {dish}，必须是{dish}。
 / 我答应了做{dish}。
 / 我答应做{dish}这道菜，客人就等着吃呢。
C burnt: 上次你做这个，火警响了{n}个小时。
 / 你连水都烧不开，{A}。
 / 我不相信，上次你做饭火警响了{n}个小时。
B idea: 点外卖，把盒子藏起来。
 / 买回来放自己锅里，没人知道。
 / 出个主意：买现成的，放你自己锅里。
A: <天才|这是作弊>。
Q who coming: 谁要来{A}家吃饭？
 / {A}要给谁做饭？
Q when coming: {A}家的晚饭是哪天？
 / {A}的客人星期几来？
Q what dish: {A}打算做什么菜？
 / {A}答应做什么？
Q how idea: {B}给{A}出了什么主意？
 / {B}想怎么帮{A}蒙混过关？
Q why burnt: {C}为什么不相信{A}的厨艺？
== bet n:few thing:trip vice:vice
A bet: 我赌你{n}天不碰{vice}都做不到。
 / 你？{n}天不{vice}？不可能。
 / 打个赌：{B}坚持不了{n}天不碰{vice}。
B: 你等着瞧。
C stake: 输了怎么办？
 / 赢了有什么好处？
A prize: 谁输谁穿小鸡服去上班。
 / 输的人刷一年厕所。
 / 输的人要穿小鸡服，这就是惩罚。
B?: 送钱给我啊。
D lost: {B}现在就在楼梯间呢，比赛结束，我都看见了。
 / 今天早上我在花盆后面抓到{B}了，结束。
 / {B}输了！我在楼梯间抓到{B}破戒。
B: 我没忍住！
Q what bet: {A}和{B}在赌什么？
 / {B}要忍住不碰什么？
Q who lost: 谁抓到{B}破戒的？
 / 谁看见{B}输了？
Q where lost: {B}在哪里被抓到的？
 / {B}是在什么地方输掉的？
Q what prize: 输的人要怎么样？
 / 打赌输了有什么惩罚？
Q how bet: {B}要坚持多久？
== pigeon animal:animal room:spot
A there: 咱们家里有{animal}！
 / 谁都别动，{animal}，就在那儿。
 / 家里进了不速之客，是{animal}！
B where: 哪儿？哦，{room}。
 / 我看见了！在{room}！
 / 我看见那只动物了，在{room}。
C in: 可能是我没关窗户。
 / 我以为是送快递的，就开了门。
 / 是我开了窗它才进来的，我的错。
A: 果然又是你，{C}。
D catch: 给我条毯子，都让开。
 / 我农村长大的，箱子递给我。
 / 我打算用毯子抓它。
B?: 它在盯着我看。
A gone: 走了！还叼走了面包。
 / 它撞了一下镜子就走了，跟我前任一样。
 / 最后那动物叼着面包走了。
Q what there: 家里进了什么东西？
 / 屋里来了个什么不速之客？
Q where where: 那只动物在哪儿？
 / {B}在哪里看见它的？
Q why in: 它是怎么进来的？
 / 为什么动物能进屋？
Q who in: 动物进屋是谁的错？
Q how catch: {D}打算怎么抓它？
Q what gone: 那动物最后怎么样了？
== audition role:job place:venue day:weekday
A got: 我拿到角色了！
 / 两百个人里选了我！
 / 我被选上了，有个角色！
B: <什么角色|演谁啊>？
A role: 演一个跟植物说话的{role}。
 / 演{role}，三句台词就死了。
 / 我的角色是{role}，戏份不多。
C when: 我们什么时候能去看？
 / 哪天演？
A day: {day}晚上，在{place}。
 / {day}在{place}首演。
 / {day}晚上能看到我演出，在{place}。
B busy: 我去不了，约了牙医。
 / 哎呀，那天晚上我要洗头。
 / 演出我去不了，因为约了牙医。
A?: {B}，那可是晚上！
Q what role: {A}演什么角色？
 / {A}拿到的是什么戏份？
Q when day: {A}的演出是哪天？
 / 星期几能看到{A}表演？
Q where day: {A}在哪里演出？
Q why busy: {B}为什么去不了？
 / {B}找了什么借口？
Q who got: 谁被选上了？
== wedding_dress kin:kin thing:thing spot:spot n:few
A: 不行，这婚我结不了。
 / 万一是个错误呢？
B?: 深呼吸。
A why: 我爱的不是他，是他的狗。
 / 我看着蛋糕想，我更喜欢蛋糕。
 / 我不想结婚！我犹豫了，比起他我更爱他的狗。
C where: 你去哪儿？客人都等着呢！
 / {A}，从窗台上下来！
A hide: 我就待在衣帽间，哪儿也不去。
 / 以后我就住衣帽间了。
 / 我躲在衣帽间里。
D told: 我跟他们说煤气漏了，你有{n}分钟。
 / 我说司仪晕倒了，能拖{n}分钟。
 / 我骗客人说煤气漏了，你还有{n}分钟时间。
Q why why: {A}为什么不想结婚？
 / 什么让{A}对婚礼犹豫了？
Q where hide: {A}躲在哪儿？
Q who told: 谁去骗客人了？
 / 是谁拖住客人的？
Q what told: {D}跟客人说了什么？
Q how told: {A}还有多少时间？
== money n:price kin:kin thing:gadget
A need: 能借我{n}吗？
 / 我要{n}，别问为什么。
 / 我想借点钱，{n}。
B ask: 为什么？
 / 干嘛用？
A why: 我把{kin}的{thing}坐坏了。
 / 我弄坏了{kin}的{thing}。
 / 要用钱是因为我弄坏了{kin}的{thing}。
C: {thing}也能坐坏？
B no: 我没钱，全买鞋了。
 / 我破产了，{A}，我买了条船。
 / 我借不了钱给你，我的钱都花在鞋上了。
C lend: 我借你，不过你得遛我的狗遛到春天。
 / 拿我的吧，以后叫我老板。
 / 我帮你，钱我借给你，不过你得遛我的狗。
Q what need: {A}要借多少钱？
 / {A}想借什么？
Q why why: {A}为什么要用钱？
 / {A}弄坏了什么？
Q who lend: 谁借钱给{A}？
 / 谁愿意帮{A}？
Q why no: {B}为什么借不了钱给{A}？
 / {B}的钱花到哪儿去了？
== hospital part:injury how:trip place:venue
A: 怎么回事？我们一接到电话就来了。
 / 你没事吧？护士什么都不说。
B hurt: 就是{part}而已。
 / 说是{part}骨折了。
 / 我伤了{part}，别的地方不疼。
A?: 怎么弄的？
B how: 在{place}想给人露一手。
 / 在{place}踩香蕉皮滑倒了，真的香蕉皮！
 / 我在{place}出的事，想露一手就受伤了。
C seen: 我看见了，特别优美。
 / 我录下来了！
 / 出事的时候我看见了，还录了像！
B stay: 得住到明天。
 / 六点就能回家。
 / 我明天就能出院。
A: 我留下陪你。
Q what hurt: {B}怎么了？
 / {B}伤了哪儿？
Q how how: {B}是怎么受伤的？
Q where how: {B}在哪里出的事？
Q who seen: 谁看见{B}出事了？
 / {B}出事的时候谁在场？
Q when stay: {B}什么时候能出院？
== present gift:gift kin:kin
A open: 先拆我的！
 / 这是我送的，快拆！
B is: 哦，{gift}，又是{gift}。
 / 是{gift}！跟去年的一模一样。
 / 礼物是{gift}，去年也收到{gift}。
A: 你不喜欢。
B: 我喜欢！
C knows: 上一个你不是送邻居了吗，{B}。
 / {B}把旧的那个卖了，顺便说一句。
 / 去年的礼物你卖了，{B}！
A: 你干了什么？
B why: 家里没地方放嘛！
 / 我都有四个了！
 / 处理掉是因为礼物太多，家里放不下！
D swap: 我拿蜡烛跟你换。
 / 给我吧，我上班正缺这个。
 / 这个礼物我想要，拿蜡烛换都行。
Q what is: {A}送了{B}什么？
 / {B}收到什么礼物？
Q who knows: 谁说出了{B}把旧礼物怎么处理的？
 / 谁把{B}出卖了？
Q why why: {B}为什么处理掉之前的礼物？
Q who swap: 谁想要{B}的礼物？
Q what knows: {B}把去年的礼物怎么了？
== elevator n:few food:dish spot:venue
A stop: 停了，怎么停了？
 / 电梯是不是不动了？
 / 电梯坏了！停了！
B: 别慌。
C panic: 我慌得很！
 / 空气不够了！
 / 我慌死了，我恨这个电梯！
B press: 我按铃了，说要{n}个小时。
 / 喇叭里的人说得{n}个小时。
 / 要等{n}个小时，我们被困住了。
A late: 我在{spot}还有面试呢！
 / 我相亲的人在{spot}等着呢！
 / 我很着急，本来该去{spot}面试的！
C food: 我包里有{food}。
 / 幸好我带了{food}。
 / 我包里带了吃的：{food}。
Q what stop: 电梯怎么了？
 / 什么东西坏了？
Q how press: 他们要等多久？
 / 要被困几个小时？
Q where late: {A}本来该在哪儿？
Q why late: {A}为什么着急？
Q what food: {C}带了什么吃的？
 / {C}包里有什么？
Q who panic: 在电梯里谁慌了？
== exboyfriend place:venue job:job kin:kin
A saw: 你猜我在{place}碰见谁了，我前任。
 / 我前任在{place}，还捧着花！
 / 我在{place}遇见前任了，还捧着花！
B: 哪一个？
A one: 当{job}的那个，手指特别长。
 / 就那个看广告都会哭的{job}。
 / 就是当{job}的那个前任。
C: 我还挺喜欢他的！
A said: 他要结婚了，跟我{kin}！
 / 他说想做朋友，跟我{kin}做朋友！
 / 前任说他要结婚了，跟我{kin}！
B what: 那你说什么了？
 / 你怎么办的？
A did: 我说恭喜，然后撞玻璃门上了。
 / 我在蛋糕后面躲了二十分钟。
 / 碰见他我反应太大，撞玻璃门上了。
Q who saw: {A}在{place}遇见了谁？
 / 谁出现在{place}？
Q where saw: {A}在哪里碰到前任的？
Q what said: {A}的前任说了什么？
Q how did: {A}见到前任是什么反应？
 / {A}碰见前任以后干了什么？
Q what one: {A}的前任是做什么的？
== costume kin:kin animal:animal place:venue
A what: 你这扮的是什么？
 / 这也算造型？
B is: 我是一朵忧伤的云，这叫艺术。
 / 我是字母Q，看不出来吗。
 / 我的造型？我扮的是一朵云。
C same: 我扮的{animal}，结果撞了一屋子。
 / 有四个人跟我一样，都是{animal}。
 / 我扮成{animal}，结果不止我一个。
A mine: 我扮的是我{kin}，看这眼镜。
 / 我简单，我是我{kin}。
B prize: 第一名能在{place}免费吃一顿。
 / 头奖是一只火腿。
 / 赢了能在{place}吃一顿，这就是奖品。
C won: 结果给了{A}！“最疲惫奖”。
 / {A}赢了！我要求重新计票！
 / {A}赢了造型比赛！就那身造型凭什么赢？
Q what is: {B}扮的是什么？
 / {B}的造型是什么？
Q what same: {C}扮成什么了？
Q who won: 谁赢了造型比赛？
 / 奖给了谁？
Q what prize: 赢了有什么奖品？
Q how won: {C}对结果是什么态度，{A}凭什么赢的？
== newbaby name:petname kin:kin n:few
A news: 我要当爸妈了。
 / 我们要有孩子了！
 / 我有个消息要宣布：我们要有孩子了！
B: <天哪|什么>！恭喜！
C when: 什么时候生？
 / 预产期哪天？
A due: 还有{n}个月。
 / 医生说{n}个月以后。
 / 孩子{n}个月以后出生。
B name: 求你别叫{name}。
 / 要是男孩就叫{name}吧。
 / {name}这名字给孩子最难听了。
A named: 随我{kin}的名字。
 / 名字我{kin}来定。
 / 孩子的名字随我{kin}。
D cry: 我没哭，空气里有洋葱。
 / 谁来扶我一下，我太高兴了。
 / 这消息让我太激动了，想哭。
Q what news: {A}有什么消息？
 / {A}宣布了什么？
Q when due: {A}的孩子什么时候出生？
Q who named: {A}的孩子名字随谁，或者由谁来取？
Q who cry: 谁听了{A}的消息很激动？
Q what name: {B}提到什么名字？
"""
