"""What people tell an assistant to remember, in Chinese, and how they ask for it."""

SCRIPT = """
== person.name v:#name
say: {whose}<名字叫|叫>{v}。
 / 对了，{whose}的名字是{v}。
 / 帮我记一下，{whose}叫{v}。
ask: {whose}叫什么<名字|>？
 / {whose}的姓名是什么？
that: 叫{v}
which: {v}是谁？
== person.age v:#age
say: {whose}今年{v}岁<了|>。
 / {whose}刚过完{v}岁生日。
 / 跟你说，{whose}已经{v}岁了。
ask: {whose}<多大了|今年几岁|多大年纪>？
 / {whose}的年龄是多少？
that: 今年{v}岁
which: 谁今年{v}岁？
more: {whose}和{other}谁<年纪大|更大>？
less: {whose}和{other}谁更年轻？
== person.birthday v:#birthday
say: {whose}的生日是{v}。
 / {whose}是{v}出生的，到时候提醒我。
 / {v}要给{whose}过生日。
ask: {whose}的生日是<哪天|什么时候|几月几号>？
 / 我该在哪天祝{whose}生日快乐？
that: {v}过生日
which: 谁的生日是{v}？
== person.job v:job
say: {whose}是<一名|个>{v}。
 / {whose}的职业是{v}。
 / {whose}做{v}<好多年了|有几年了|挺久了>。
now: {whose}转行做{v}了。
 / {whose}换工作了，现在是{v}。
ask: {whose}是做什么<工作|>的？
 / {whose}的职业是什么？
 / {whose}靠什么谋生？
that: 当{v}
which: 谁是{v}？
all: 我认识的人里有哪些是{v}？
 / 我身边有几个人当{v}？
== person.company v:company
say: {whose}在{v}上班。
 / {whose}的单位是{v}。
 / {whose}就职于{v}，<听说待遇不错|离家挺远|经常加班>。
now: {whose}跳槽去了{v}。
ask: {whose}在哪里<上班|工作>？
 / {whose}的工作单位是哪儿？
 / {whose}是哪家公司的？
that: 在{v}上班
which: 谁在{v}上班？
all: 我认识的人里谁在{v}工作？
 / {v}里有几个我认识的人？
== person.hobby v:hobby
say: {whose}喜欢{v}。
 / {whose}的爱好是{v}。
 / {whose}一有空就{v}。
 / 最近发现{whose}特别迷{v}。
ask: {whose}有什么爱好？
 / {whose}平时喜欢干什么？
 / {whose}空闲时间怎么过？
that: 喜欢{v}
which: 谁的爱好是{v}？
 / 谁喜欢{v}？
all: 我的亲戚朋友里谁喜欢{v}？
== person.phone v:#phone
say: {whose}的电话是{v}。
 / {whose}的手机号码：{v}，记一下。
 / 打{v}就能找到{whose}。
now: {whose}换号了，新号码是{v}。
ask: {whose}的<电话|手机号|联系电话>是多少？
 / 我要怎么打电话给{whose}？
 / 联系{whose}该打哪个号码？
which: {v}是谁的号码？
== person.mail v:#mail
say: {whose}的邮箱是{v}。
 / 给{whose}发邮件用这个地址：{v}。
ask: {whose}的邮箱地址是什么？
 / 我该往哪儿给{whose}发邮件？
== person.degree v:degree
say: {whose}的学历是{v}。
 / {whose}是{v}毕业。
 / 说到学历，{whose}读到了{v}。
ask: {whose}<是什么学历|的文化程度如何|的学历是什么>？
 / {whose}读书读到什么程度？
that: 学历是{v}
all: 我认识的人里哪些是{v}学历？
 / 有几个人是{v}毕业的？
more: {whose}和{other}谁的学历高？
== person.school v:school
say: {whose}毕业于{v}。
 / {whose}是在{v}念的书。
 / {whose}的母校是{v}。
ask: {whose}是哪个学校毕业的？
 / {whose}在哪里读的书？
that: 毕业于{v}
all: 谁是从{v}毕业的？
== person.height v:#height
say: {whose}身高{v}。
 / {whose}有{v}高。
 / 今天量了一下，{whose}{v}。
ask: {whose}多高？
 / {whose}的身高是多少？
that: 身高{v}
which: 谁的身高是{v}？
more: {whose}和{other}谁高？
less: {whose}和{other}谁矮一点？
== person.hometown v:wherefrom
say: {whose}老家在{v}。
 / {whose}是{v}人。
 / {whose}从小在{v}长大。
ask: {whose}是哪里人？
 / {whose}的<老家|家乡>在哪儿？
that: 老家在{v}
all: 我认识的人里哪些是{v}人？
 / 谁和{v}有同乡关系？
== person.lives v:city
say: {whose}<现在|>住在{v}。
 / {whose}在{v}租了房子。
now: {whose}搬到{v}去了。
 / {whose}刚在{v}安顿下来。
ask: {whose}住在哪里？
 / {whose}在哪个城市生活？
that: 住在{v}
which: 谁住在{v}？
== person.character v:trait
say: {whose}这个人很{v}。
 / 大家都说{whose}{v}。
ask: {whose}性格怎么样？
 / {whose}是个什么样的人？
all: 我说过谁{v}？
== person.drink v:drink
say: {whose}只喝{v}。
 / {whose}每天离不开{v}。
ask: {whose}爱喝什么？
 / {whose}来做客的话我该准备什么喝的？
which: 谁爱喝{v}？
== person.size v:clothing
say: {whose}衣服穿{v}。
 / 送礼备忘：{whose}穿{v}的衬衫。
ask: {whose}穿多大的衣服？
all: 谁穿{v}？
== event.place v:city
say: {who}在{v}举办。
 / {who}的地点定在{v}。
ask: {whose}在哪里举行？
 / {whose}的举办城市是哪儿？
that: 在{v}举办
which: 哪个活动在{v}？
== event.time v:#when
say: {who}的时间是{v}。
 / {who}{v}开始。
 / 帮我记到日历里：{v}，{who}。
now: {who}改到{v}了。
ask: {whose}什么时候开始？
 / {whose}是几号几点？
which: {v}有什么活动？
== event.length v:#length
say: {who}一共{v}。
 / {who}要持续{v}。
ask: {whose}要多长时间？
 / {whose}持续多久？
that: 持续{v}
more: {whose}和{other}哪个时间长？
== event.people v:#people
say: {who}大概有{v}人参加。
 / {who}预计来{v}人。
ask: {whose}有多少人参加？
 / {whose}规模多大？
that: 有{v}人参加
more: {whose}和{other}哪个规模大？
== event.purpose v:purpose
say: {who}主要是为了{v}。
 / 办{who}的目的是{v}。
ask: {whose}是干什么的？
 / 为什么要办{whose}？
which: 哪个活动是为了{v}？
== item.price v:#price
say: 我的{who}花了{v}。
 / 买{who}用了{v}。
ask: {whose}多少钱买的？
 / {whose}花了我多少钱？
which: 我花{v}买了什么？
more: {whose}和{other}哪个贵？
== item.colour v:colour
say: 我的{who}是{v}的。
 / {who}我选了{v}。
ask: {whose}是什么颜色？
all: 我有哪些东西是{v}的？
== item.place v:spot
say: 我把{who}放在{v}了。
 / {who}在{v}，怕忘了记一下。
now: {who}我换地方了，现在在{v}。
ask: {whose}在哪儿？
 / 我把{whose}放哪里了？
which: 我在{v}放了什么？
== item.bought v:#birthday
say: 我的{who}是{v}买的。
 / {who}从{v}用到现在。
ask: {whose}是什么时候买的？
 / {whose}用了多久了？
"""

ASIDES = (
    "我该多给{whose}打打电话。",
    "{whose}今天讲了个笑话，笑死我了。",
    "跟{whose}一起吃饭<很开心|还是那么热闹|聊到很晚>。",
    "跟{whose}拌了几句嘴，不过已经没事了。",
    "你说{whose}会喜欢惊喜吗？",
    "在公交车上看见{whose}了，挥了挥手。",
    "{whose}的工作听起来好累。",
    "我们家每个人的爱好都不一样。",
    "今天下了一天雨，在家看书。",
    "要记得买牛奶。",
    "昨晚又没睡好。",
    "今天真累，总算结束了。",
    "年龄只是个数字，{whose}老这么说。",
    "要用的时候谁的电话都找不到。",
    "{whose}问我那边天气怎么样。",
    "我在想要不要回学校再读个学位。",
)
ASIDES_OF_VALUES = (
    "今天广播里在说{v}。",
    "最近到处都看到{v}。",
    "要是能重新选，我就选{v}。",
    "你觉得{v}常见吗？",
    "{whose}问过我怎么看{v}。",
    "做了个关于{v}的怪梦。",
    "公交上有个人跟我聊了一路{v}。",
)
TRAILING = (
    "我老是跟别人的弄混。",
    "吃饭的时候聊起来的。",
    "帮我记着点。",
    "我也是今天才知道。",
    "早上打电话说到的。",
    "没有你我真记不住。",
    "说不定哪天用得上。",
    "跟我猜的完全不一样。",
)
ANSWERS = ("好的，记住了。", "收到。", "明白，已经记下。", "谢谢你告诉我！", "嗯，了解了。")
