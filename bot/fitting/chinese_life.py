"""Chinese topics of a life: work, learning, health, family, helping others, fears and hopes."""

SCRIPT = """
== newjob job:job company:company old:job why:reason d:next
A job: 我拿到offer了！{d}去{company}报到。
 / 大消息：{company}录用我了，{d}第一天上班。
 / 他们来电话了，我{d}就去{company}上班。
 / 新工作{d}开始，公司叫{company}，你可能听过。
B: <哇，什么岗位|恭喜！做什么的|厉害，干啥职位>？
A role: {job}，专业对口。
 / 做{job}，算是圆梦了。
 / 他们缺{job}，就是我了。
 / 我的职位是{job}，一直喜欢的职业。
B?: 那原来的工作呢？
A old: 以前当{old}，一点都不留恋，{why}嘛。
 / 再也不用当{old}了，谢天谢地。
 / 换这份工作之前我做了好几年{old}，{why}才不干的。
--
A quit: 我跟{company}提离职了，<想要自己的晚上|老板太难伺候>。
 / {company}那边我不干了，现在<在找下家|自由职业>。
 / 我已经不在{company}了，那份工作把我累病了，就走了。
T: {company}的工作
W job: 被{company}录用
N: 周一就不该存在。
 / 今天广播里有{company}的人在讲话。
 / 我要是{job}，就不抱怨了。
Q single role: {A}在{company}做什么<职位|>？
 / {A}的新职业是什么？
Q where job: 哪家公司录用了{A}？
 / {A}现在在哪儿上班？
Q when job: {A}的新工作什么时候开始？
Q change old: {A}换工作之前是做什么的？
Q change quit: {A}还在{company}吗？
 / {A}那份工作后来怎么样了？
Q two-hop job,role: 被{company}录用的朋友在那里做什么？
QB comparison job: {A}和{B}分别找到了哪里的新工作？
== exam exam:exam n:few d:next !failed
A plan: 我{d}{exam}，什么都不会。
 / 我报了{exam}，就在{d}。
 / {d}就是大日子了，{exam}。
 / 我在准备考试，{exam}，{d}就考！
B?: 没问题的！你复习多久了？
A study: {n}个月，天天晚上学。
 / 学了{n}个月了，基本都在地铁上看的。
 / 我已经复习了{n}个月，卡片都做了一堆。
--
B: 考得怎么样？
A failed: 没过，就差一分。
 / 过了！！在走廊里哭了一场。
 / 得重考，时间不够没写完。
 / 考试结果出来了：过了，还是第二名！
 / 考试没考过，结果很惨，再试一次。
T: {exam}
W plan: 准备{exam}
N: 到现在还会梦见考试。
 / 我同学也考过{exam}，之后再也不提了。
Q when plan: {A}的{exam}是哪天？
Q single plan: {A}在准备什么考试？
 / {A}报名考什么？
Q how study: {A}复习了多久？
Q how failed: {A}考试结果如何？
 / {A}考过了吗？
QB comparison plan: {A}和{B}分别考什么？
== injury part:injury how:trip n:few d:past !hurt,weeks #health=hurt
A hurt: 我{d}{how}的时候把{part}弄伤了。
 / {d}去{how}摔了一跤，{part}打石膏了。
 / 倒霉，{d}{part}扭了，都怪{how}。
 / 我{d}受伤了，跟朋友{how}的时候摔的，伤了{part}。
B: 疼不疼啊？得养多久？
A weeks: {n}周不能运动。
 / 医生说{n}周。
 / 老实点的话{n}周吧。
 / 要休息{n}周，什么都不能拎。
--
B?: {part}好点没？
A better: 全好了！今天早上还跑了步。
 / 晚上还是疼，一周要做两次康复。
 / 我的{part}现在好多了，医生都说恢复得快。
T: {part}受伤的事
W hurt: 伤了{part}
N: 我一站起来{part}就咔咔响。
 / 我从来没骨折过。
Q single hurt: {A}伤了哪里？
 / {A}身上哪个部位受伤了？
Q when hurt: {A}是什么时候受的伤？
 / {A}的{part}什么时候伤的？
Q how hurt: {A}是怎么受伤的？
 / {A}受伤时在干什么？
Q how weeks: {A}要休息多久？
Q change better: {A}的{part}现在怎么样了？
Q implicit hurt: {A}最近为什么可能没去健身？
QB comparison hurt: {A}和{B}分别受过什么伤？
== illness what:illness cure:treatment d:past !ill #health=ill
A ill: 从{d}开始我就得了{what}。
 / {d}我{what}了。
 / 最近没怎么说话，{d}开始{what}。
 / 我{d}病了，医生说是{what}。
 / 从{d}起就一直{what}，班都上不了。
B: 可怜，有什么管用的吗？
A cure: {cure}特别管用。
 / 目前就{cure}有点效果。
 / 本来不信的，结果{cure}真的有用。
 / 真正有用的是{cure}，靠这个好起来的。
T: 生病的事
W ill: 得了{what}
N: 我们办公室病倒一半了。
 / 我也该去体检一下了。
Q single ill: {A}得了什么病？
 / {A}哪里不舒服？
Q when ill: {A}什么时候病的？
Q how cure: 什么对{A}的{what~}有用？
 / {A}靠什么好起来的？
QB comparison cure: {A}和{B}分别靠什么恢复的？
== wedding kin:kin city:city n:some d:next #family=plan
A plan: 我{kin}{d}要在{city}结婚啦！
 / 猜猜谁要上台讲话？我{kin}{d}在{city}办婚礼。
 / 家里要办婚礼了，我{kin}{d}在{city}结婚。
B?: 太好了！办得大吗？
A size: {n}个客人，小范围。
 / 就{n}个人。
 / 婚礼请了{n}个客人。
A wear: 我还没衣服穿呢。
 / 我<负责弹琴|负责递戒指|负责拍照>。
 / 婚礼上我的任务是管音乐。
--
B: 婚礼怎么样？
A went: 下雨了，但没人在乎，我跟老太太跳了一小时舞。[图片：伞下的一对新人]
 / 延期了，<场地着火|新郎流感>。
 / 婚礼很美，虽然天气糟透了。
T: 那场婚礼
N: 我一参加婚礼就哭。
 / 我要是结婚就去海边办。
Q who plan: {A}家里谁要结婚？
Q when plan: {A}的{kin}哪天办婚礼？
Q where plan: {A}的{kin}在哪里结婚？
Q count size: {A}要去的婚礼请了多少人？
Q single wear: {A}在婚礼上有什么任务或者烦恼？
Q change went: {A}参加的婚礼最后怎么样？
 / 婚礼那天天气如何，{A}怎么说的？
== baby kin:kin name:petname n:few d:past #family=born
A born: 我家添人口了！我{kin}{d}生了。
 / 宝宝{d}出生的！我{kin}一切都好。
 / 家里{d}有宝宝出生了，我{kin}当上父母啦！
B: 恭喜你们全家！叫什么名字？
A name: 小名叫{name}，<有点特别|大家都说好听>。
 / 叫{name}。
 / 宝宝的名字叫{name}。
A?: {n}公斤，嗓门特别大。[图片：戴条纹帽的新生儿]
T: 小宝宝
N: 小孩刚生下来都像土豆。
 / 邻居家孩子半夜老哭。
Q when born: {A}家的宝宝什么时候出生的？
Q single name: {A}的{kin}的孩子叫什么？
Q who born: {A}的哪个亲戚当了父母？
== lang lang:language why:city n:few d:past #learning=start #hobby=start
A start: 我{d}开始学{lang}了。
 / {d}上了第一节{lang}课。
 / 从{d}起报了{lang}班，头大。
 / 我在学外语，{d}跟邻居一起开始学{lang}的。
B?: 怎么想起学这个？
A why: 想去{why}过一个夏天。
 / 为了去{why}旅行。
 / 我{why}的朋友只会说这个。
 / 学这个是因为想跟{why}的人聊天。
B?: 难吗？
A hard: 语法还行，发音要命，上了{n}节课只会点汤。
 / 学了{n}节课，会说“车站在哪儿”了。
 / 外语学得还不错，这个月上了{n}节课，能看懂路牌了。
T: 我的{lang}课
W start: 学{lang}
N: {lang}我就会一个词。
 / 人人都该学点{lang}。
Q single start: {A}在学什么语言？
 / {A}报了什么语言班？
Q why why: {A}为什么学{lang}？
 / {A}学外语是为了什么？
Q when start: {A}什么时候开始上{lang}课的？
Q how hard: {A}的外语学得怎么样？
QB comparison start: {A}和{B}分别在学什么语言？
== goal goal:goal other:goal n:few #dream=dream
B?: 要是什么都能做，你想做什么？
A dream: 我想<{n}年之内|五十岁之前|有一天>{goal}。
 / 我的计划是{goal}，清单都列好了。
 / 我决定了，要{goal}。
 / 我的梦想是{goal}，上学时候就有了。
B: 感觉你肯定行。第一步是什么？
A step: 存钱，每个月存一点。
 / 找个做过的人取经。
 / 先跟家里人说。
 / 实现梦想的第一步是存钱。
--
A changed: 之前那个计划当我没说，我更想{other}。
 / 新想法：改成{other}了。
 / 我有新的梦想了：想{other}，原来的打算作废。
T: 我的大计划
W dream: 想{goal}
N: 做梦又不要钱。
 / 有的人默默就{goal}了。
Q change dream: {A}<最初|原来>的梦想是什么？
Q change changed: {A}现在改成想做什么了？
 / {A}最新的打算是什么？
Q how step: {A}实现梦想的第一步是什么？
QB comparison dream: {A}和{B}分别有什么梦想？
== volunteer cause:cause day:weekday d:past why:kin #helping=start
A start: 我{d}开始去{cause}做志愿者了。
 / {d}是我在{cause}帮忙的第一天。
 / 从{d}起我去{cause}帮忙，做志愿者，特别喜欢。
B: 好样的！多久去一次？
A often: 每{day}去几个小时。
 / {day}上午。
 / 我一般{day}去帮忙，八点到中午。
B?: 怎么想到去的？
A why: 我{why}做了好多年，带我一起的。
 / 以前有人帮过我{why}，想回报一下。
 / 我去做志愿者是受{why}影响，想帮助别人。
T: 做志愿者的事
W start: 在{cause}做志愿者
N: 我也想多帮帮别人，可哪有时间。
 / 面包店贴着{cause}的传单。
Q where start: {A}在哪里做志愿者？
 / {A}帮忙的是什么机构？
Q when start: {A}什么时候开始去{cause}帮忙的？
Q single often: {A}一般星期几去帮忙？
Q why why: {A}为什么去做志愿者？
 / 是谁影响{A}去帮助别人的？
QB comparison start: {A}和{B}分别在哪里做志愿者？
== loss kin:kin what:memory d:past !passed,miss
A passed: 我{kin}{d}走了。
 / 家里出了点事，{kin}{d}去世了。
 / 我{kin}{d}去世了，到现在还不敢相信。
B: 节哀……想聊聊吗？
A miss: 老想起以前一起{what}的日子。
 / 我们以前最爱{what}，翻到一张老照片。[图片：两个人在笑，颜色褪了]
 / 一闭上眼就怀念跟{kin}一起{what}的时候。
A?: 谢谢你陪我。
T: 葬礼
N: 我不喜欢葬礼。
 / 看老照片的时候时间过得好快。
Q who passed: {A}失去了哪位亲人？
 / {A}家里谁去世了？
Q when passed: {A}的{kin}什么时候走的？
Q single miss: {A}怀念和{kin}一起做什么？
Q implicit passed: {A}最近可能为什么难过？
== calm what:habit other:habit #stress=calm #hobby=calm
B?: 压力大的时候你怎么办？
A calm: 全靠{what}撑着。
 / 受不了的时候我就{what}。
 / 说了你别不信，{what}能让我<放空|静下来>。
 / 我靠{what}放松，压力一下就没了。
B?: 真有用吗？
A works: 坚持两周，睡得跟石头一样。
 / 大部分时候有，至少有半小时是自己的。
 / 这办法的效果就是人静下来了，一觉到天亮。
--
A stopped: {what}我不弄了，现在是{other}。
 / {what}腻了，改{other}了。
 / 我现在用{other}放松，{what}没什么用了。
T: {what}
N: 看文章说{what}对心脏好。
 / 压力嘛，人人都有。
Q single calm: {A}靠什么放松？
 / {A}怎么应对压力？
Q how works: {A}的解压办法效果怎么样？
Q change stopped: {A}现在用什么办法放松？
 / {A}后来换成什么习惯了？
QB comparison calm: {A}和{B}分别怎么放松？
== quit vice:vice n:few d:past #health=quit
A quit: 我{d}开始戒{vice}了。
 / {vice}我{d}就戒了。
 / {d}下定决心不再{vice}了。
 / 我改掉了一个坏习惯：从{d}起不碰{vice}了。
B: 有毅力！最难的是什么？
A hard: 头{n}天，脾气大得邻居都来问怎么了。
 / 晚上最难熬，口香糖都嚼了{n}包。
 / 戒掉最难的是无聊，一天想{n}次。
--
B?: 还坚持着吗？
A relapse: 上周破戒了，从头来。
 / 坚持着呢！省下的钱够买件大衣。
 / 没坚持下来，上周忍不住了。
 / 还在坚持，一次都没破戒。
T: 戒{vice}的事
W quit: 戒了{vice}
N: 到处都是{vice}，你发现没？
 / 医生老跟我说{vice}的事。
Q single quit: {A}戒了什么？
 / {A}改掉了什么坏习惯？
Q when quit: {A}什么时候戒的{vice}？
Q how hard: {A}觉得戒掉最难的是什么？
Q change relapse: {A}坚持下来了吗？
QB comparison quit: {A}和{B}分别戒了什么？
== fear fear:fear how:trip n:few #fear=fear
A fear: 我<从小就|特别>怕，{fear}。
 / 别笑我，{fear}这事我一碰就发抖。
 / 我有个毛病，{fear}，心跳得不行。
 / 我害怕{fear}，光想想就怕。
B: 怎么会这样？
A from: {n}岁的时候出过一件事，我哥还觉得好玩。
 / {n}岁那年{how}走丢了，从那以后就这样。
 / 我害怕是因为{n}岁那年出的事。
B?: 有没有想办法克服？
A try: 每周四看心理医生。
 / 看了本书，没用。
 / 为了克服恐惧，我现在跟着医生做练习。
T: 我害怕的那个事
W fear: 害怕{fear}
N: 谁还没点害怕的东西。
 / {fear}？我完全无所谓。
Q single fear: {A}怕什么？
 / 什么会让{A}害怕？
Q why from: {A}为什么会害怕？
 / {A}的心理阴影是怎么来的？
Q how try: {A}怎么克服恐惧的？
Q implicit fear: 什么样的惊喜对{A}来说会是惊吓？
QB comparison fear: {A}和{B}分别怕什么？
== award what:hobby n:few d:past
A won: 我{d}{what}比赛拿了<一等奖|二等奖|三等奖>！
 / {d}{what}得了块奖牌。
 / 我得奖了！{d}拿的，{what}方面的奖。
B: 真的假的！多少人参加？
A many: {n}百人，我手都在抖。
 / 全国各地来了差不多{n}百人。
 / 竞争对手有{n}百个，知足了。
A?: 奖杯就摆在放钥匙的架子上。
T: 那个奖
W won: {what}得了奖
N: 我这辈子没得过奖。
 / 要是{what}能拿个奖牌也挺好玩。
Q single won: {A}凭什么得的奖？
 / {A}在哪方面拿了奖？
Q when won: {A}什么时候获的奖？
Q count many: {A}有多少竞争对手？
Q implicit won: {A}擅长什么？
"""
