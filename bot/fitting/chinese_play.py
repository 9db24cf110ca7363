"""Chinese topics of spare time: books, films, music, trips, sports, food and nature."""

SCRIPT = """
== pottery thing:craft kin:kin place:venue d:past #hobby=class #learning=class
A class: 我{d}终于去上陶艺课了。
 / 第一次做陶艺，{d}在{place}。
 / 念叨了好久的陶艺体验，{d}去了。
 / {d}去上了玩泥巴的课，就是陶艺！在{place}。
B: <怎么样|好玩吗|学得如何>？
A made: <累死了|弄得一身泥|比看起来难多了>，不过给{kin}做了个{thing}。
 / 特别解压！做了个{thing}，准备送我{kin}。[图片：蓝釉的小{thing}]
 / 捏坏了两个，第三个成了{thing}，归我{kin}了。
 / 课上我用泥巴给{kin}做了个{thing}。
--
A cancelled: 课取消了，老师搬走了。
 / {thing}在窑里裂了，白忙一场！
 / 陶艺最后没学成，课停了。
T: 那个陶艺课
W class: 学陶艺
N: 陶艺我可不行，手太笨。
 / 我家附近有个陶艺店，老关门。
 / 陶和瓷到底有什么区别啊？
Q when class: {A}什么时候上的陶艺课？
 / {A}第一次玩泥巴是哪天？
Q single made: {A}在课上做了什么？
Q who made: {A}的{thing}是给谁做的？
Q change cancelled: {A}的陶艺最后怎么样了？
QB comparison made: {A}和{B}上陶艺课分别做了什么？
== book book:book genre:genre kin:kin d:past #hobby=read
A read: 我{d}把{book}看完了。
 / {book}根本停不下来，{d}读完的。
 / {d}翻完{book}最后一页，坐着发了半天呆。
 / 最近看了好多书，{d}看完了{book}。
 / {d}又读完一本书：{book}，两个晚上看完的。
B?: 好看吗？
A about: {genre}类的，<开头慢热|反转特别多>，我{kin}送的。
 / 喜欢{genre}的话值得一看，{kin}推荐给我的。
 / 我{kin}不喜欢，我觉得挺好，毕竟是{genre}。
 / 是{genre}类型的书，{kin}推荐的。
T: 那本书
N: 家里还有四十本没拆封的书。
 / 我只有坐火车才看书。
 / 现在书店橱窗里全是{book}。
Q when read: {A}什么时候看完{book}的？
Q single about: 按{A}说的，{book}是什么类型？
Q who about: {A}看的{book}是谁<推荐|给>的？
QS list read: {A}都看过哪些书？
 / {A}读了什么书？
QS count read: {A}一共看完几本书？
== film film:film who:kin place:venue d:past
A saw: 我{d}跟{who}去看了{film}。
 / {d}被{who}拉去看{film}。
 / {film}，{d}和{who}一起看的。
 / {d}看了部电影，{film}，跟{who}一起。
 / 我和{who}{d}去影院看了{film}，抢到最后两张票。
B: 值得看吗？
A liked: 哭了三次。
 / {who}睡着了，我倒挺喜欢配乐。
 / 一般，结局莫名其妙。
 / 我觉得这部电影特别好，今年最佳。
T: 那部电影
N: 现在电影票也太贵了。
 / 我最近看片老看不完。
 / {film}还在上映吗？
Q when saw: {A}什么时候看的{film}？
Q who saw: {A}跟谁一起看的{film}？
Q how liked: {A}觉得和{who}看的那部电影怎么样？
QS list saw: {A}都看过哪些电影？
 / {A}去影院看了什么？
== concert artist:artist city:city kin:kin d:past
A went: 我{d}在{city}看了{artist}的现场！
 / {d}去{city}听{artist}的演唱会了。
 / 耳朵还嗡嗡的，{d}在{city}看{artist}。
 / {d}去看演出了，{artist}在{city}的演唱会，现场太棒了。
B: 太爽了！跟谁去的？
A with: 我{kin}陪我的。[图片：紫色灯光的舞台]
 / 跟{kin}，每首歌都会唱。
 / 就我自己，{kin}临时放鸽子。
 / 跟我{kin}一起去看的，票还是对方买的。
T: 那场演唱会
N: 我更喜欢在家穿着拖鞋听歌。
 / 电台天天放{artist}。
Q when went: {A}什么时候看的{artist}？
Q where went: {A}在哪儿听的{artist}？
Q who with: 本来谁要跟{A}一起去看{artist}？
QS list went: {A}都看过哪些演出？
 / {A}看过谁的现场？
QS count went: {A}看过几场演出？
== travel country:country sight:landmark kin:kin n:few d:past #trip=went
A went: 我{d}刚从{country}回来。
 / {country}太美了！{d}飞回来的。
 / 还在倒时差，在{country}待了{n}天，{d}回的。
 / 出国玩回来了，去了{country}，{d}到的家。
 / 又去了一个国家：{country}！{d}回来的。
B: 最喜欢哪里？
A sight: 当然是{sight}。[图片：夕阳下的{sight}]
 / 我和{kin}在{sight}都舍不得走。
 / 光为了{sight}就值得再去。
 / 这趟最喜欢的是{sight}。
B?: 吃得惯吗？
A food: 天天喝汤，一点不后悔。
 / 太辣了！嗓子都哑了。
T: {country}之行
W went: 去{country}旅游
N: 一直想去{country}看看。
 / 夏天去{country}的机票贵得离谱。
 / 旅游比上班还累。
Q when went: {A}什么时候从{country}回来的？
 / {A}是哪会儿去的{country}？
Q single sight: {A}去{country}最喜欢哪里？
 / {A}的{country}之行亮点是什么？
QS list went: {A}去过哪些国家？
 / {A}出国都去了哪儿？
QS count went: {A}去过几个国家？
== outdoors what:trip animal:animal kin:kin d:past #outdoors=went
A went: 我和{kin}{d}去{what}了。
 / {d}带{kin}去{what}。
 / 总算透了口气，{d}跟{kin}{what}去了。
 / {d}在野外待了一天，跟{kin}去{what}，亲近大自然。
B: 看到什么动物没？
A saw: {animal}！直勾勾看着我。
 / 就看到{animal}，大清早的。[图片：雾里的{animal}]
 / 我{kin}发现了{animal}，我只看到尾巴。
 / 看见的动物是{animal}，从没离这么近过。
T: 出去玩那天
N: 我还是更喜欢待在家里。
 / 这天气还{what}？算了吧。
 / 看看自然纪录片就够了。
Q who went: {A}跟谁一起去{what}？
Q when went: {A}什么时候去{what}的？
Q single saw: {A}去{what}的时候看见了什么动物？
QS list went: {A}参加过哪些户外活动？
QS list saw: {A}都见到过哪些动物？
QS count went: {A}一共去野外几次？
== match sport:sport n:few city:city d:past #hobby=played
A played: 我{d}第一次参加{sport}比赛。
 / {d}我们{sport}队打了场大比赛。
 / 我的运动是{sport}，{d}打了场重要的比赛。
B: 赢了吗？
A result: 输了{n}分，不过咬得很紧。
 / 赢了！多{n}分。
 / 打了{n}分钟就因为暴雨取消了。
 / 比赛结果不好，输了{n}分。
B?: 接下来呢？
A next: 下一场在{city}。
 / 决赛要去{city}打。
 / 下一场比赛在{city}。
T: 那场{sport}赛
W played: 打{sport}比赛
N: 看{sport}转播我能睡着。
 / 上学的时候{sport}分组总没人要我。
Q single played: {A}参加什么运动？
Q when played: {A}的{sport}赛是哪天？
Q how result: {A}的{sport}赛结果怎样？
 / {A}比赛赢了还是输了？
Q where next: {A}下一场比赛在哪里？
QB comparison played: {A}和{B}分别玩什么运动？
== instrument what:instrument kin:kin day:weekday n:few #hobby=plays #learning=plays
A plays: 我又开始上{what}课了。
 / 放了{n}年的{what}，我又捡起来了。
 / {what}重新回到我的生活！
 / 我又在练乐器了，{what}，下班天天练。
B?: 谁教你？
A teacher: 我{kin}，每{day}，可严了。
 / {kin}认识的一个老师，{day}上课。
 / 我的老师就是{kin}，每{day}上音乐课。
--
A stage: 我要上台表演了，紧张得胃疼！
 / 昨天第一次小演出，只错了两处。
 / 第一次上台表演，就是个小舞台。
T: 我的{what}课
W plays: 学{what}
N: 楼里有人练{what}，难听死了。
 / 我最喜欢的乐器是安静。
Q single plays: {A}在学什么乐器？
 / {A}在练什么？
Q when teacher: {A}星期几上音乐课？
Q who teacher: {A}的老师是谁或者谁介绍的？
Q change stage: {A}上台表演过吗？
QB comparison plays: {A}和{B}分别会什么乐器？
== restaurant food:cuisine dish:dish place:venue kin:kin d:past
A ate: 我{d}去{place}旁边新开的{food}餐厅吃了。
 / {d}{kin}带我去{place}附近吃{food}菜。
 / {d}下馆子，吃了{food}菜，餐厅在{place}旁边。
B: 味道怎么样？
A had: {dish}绝了。
 / 有点贵，不过为了{dish}我还会去。
 / 点了{dish}，结果上错菜了。
 / 在餐厅点了{dish}，以前没吃过这道菜。
T: 那家{food}餐厅
W ate: 吃了{food}菜
N: 突然想吃{food}菜。
 / {place}附近周日都不开门。
Q single had: {A}在{food}餐厅吃了什么？
 / {A}喜欢那家{food}菜的哪道菜？
Q where ate: {A}去的{food}餐厅在哪儿？
Q when ate: {A}什么时候下馆子的？
QB comparison ate: {A}和{B}分别吃了哪国菜？
== drinks drink:drink other:drink n:few
A likes: 给我{drink}我能活一辈子。
 / 早上只要有{drink}就够了。
 / 你知道我的，{n}杯{drink}下肚就活过来了。
 / 我早上最爱喝的就是{drink}。
B?: 我喝不惯。那{other}呢？
A hates: {other}？不行，喝了难受。
 / 从来不爱，一股雨水味。
 / 我觉得{other}不好喝，不爱喝那个。
--
A switched: 医生不让喝{drink}了，改{other}。
 / 你敢信吗，我现在喝{other}了。
 / 我现在只喝{other}了，{drink}喝了睡不着。
T: 我爱喝{drink}这事
N: 有人把{drink}洒我电脑上了。
 / 现在{drink}比午饭还贵。
Q single likes: {A}最爱喝什么？
 / {A}早上喜欢喝什么？
Q single hates: {A}觉得{other}怎么样？
Q change likes: {A}以前喝什么？
Q change switched: {A}现在改喝什么了？
Q implicit likes: 早上招待{A}该准备什么？
QB comparison likes: {A}和{B}分别爱喝什么？
== music style:style other:style kin:kin
A likes: 这周一直在听{style}。
 / 要我说，什么都比不上{style}。
 / 邻居肯定烦我了，整天放{style}。
 / 我最喜欢的音乐就是{style}，上学起就爱听这种风格。
B?: 什么时候迷上的？
A since: 我{kin}以前在车上老放。
 / {kin}给了我一盘旧磁带之后。
 / 是因为{kin}才喜欢上的，他们家整天放。
B: 我还是更喜欢{other}。
 / 我听不来{style}，{other}才是我的菜。
T: 我听的音乐
N: {style}也算音乐吗？
 / 楼下酒吧每周五放{style}。
Q single likes: {A}喜欢什么音乐？
 / {A}爱听哪种风格？
Q why since: {A}是怎么喜欢上{style}的？
 / 谁带{A}入的坑？
Q implicit likes: {A}会喜欢什么样的音乐会？
== running n:few city:city km:some d:next #hobby=train
A train: 我报名了{d}在{city}的跑步比赛。
 / {d}我要去{city}跑{km}公里！
 / {d}{city}有跑步比赛，我报名了！{km}公里。
B: 你？跑步？怎么练的？
A how: 每周沿河跑{n}次，早饭前。
 / 网上找的计划，一周{n}次。
 / 我一周训练{n}次，沿着河跑。
--
B?: 比赛怎么样？
A result: 跑完了！最后一名，但跑完了。
 / 半路抽筋，退赛了。
 / 比赛跑得不错，比上次快。
T: 那个跑步比赛
W train: 报名跑步比赛
N: 我只有赶公交才跑。
 / 城里有比赛，路全封了。
Q when train: {A}的比赛是什么时候？
Q where train: {A}报名的比赛在哪里？
Q how how: {A}怎么训练的？
 / {A}一周跑几次？
Q how result: {A}跑得怎么样？
QB comparison train: {A}和{B}分别去哪里跑？
== paint colour:colour sight:landmark kin:kin place:venue d:past #hobby=painted
A painted: 我{d}画了{sight}，主要用{colour}。[图片：{colour}的画布]
 / {d}我把{sight}那幅画画完了。
 / {d}画了一幅画，画的是{sight}，{colour}为主。
B: 真好看！打算怎么处理？
A for: 要挂在{place}。
 / 我{kin}要拿去挂走廊。
 / 这幅画要挂在{place}。
--
A sold: 有人把我的画买走了！
 / {sight}那幅画毁了，洒了一杯咖啡。
 / 我的画卖掉了，人家出了好价钱！
T: 我那幅画
W painted: 画了{sight}
N: 我连个圆都画不圆。
 / 逛美术馆脚疼。
Q single painted: {A}画了什么？
 / {A}的画上是什么？
Q when painted: {A}什么时候画的{sight}？
Q where for: {A}的画要挂在哪里？
Q change sold: {A}的画后来怎么了？
QB comparison painted: {A}和{B}分别画了什么？
== games n:few night:weekday who:kin what:sport #hobby=plays
A plays: 我们现在每{night}晚上都玩桌游。
 / {night}是我家的桌游夜。
 / 我每{night}跟朋友玩桌游。
B?: 一般谁赢？
A wins: 我{who}，次次都是，我怀疑作弊。
 / 我{who}连赢{n}回了。
 / 玩桌游每次都是我{who}赢。
B?: 玩什么啊？
A what: 修铁路那个。
 / 奶奶教的一种老牌。
 / 我们玩的游戏是一种老式纸牌。
T: 桌游夜
N: 一看规则我就没耐心。
 / 我有一次把骰子扔到楼下去了。
Q when plays: {A}星期几玩桌游？
Q who wins: {A}家玩桌游谁老赢？
Q single what: {A}玩的是什么游戏？
Q implicit plays: 什么时候最好别给{A}打电话？
"""
