"""Chinese topics of people and days: friends, dates, neighbours, appointments, lost things, opinions, roots."""

SCRIPT = """
== visitor city:city sight:landmark dish:dish n:few d:past
A came: 老同学{d}从{city}过来看我，我们聊到天亮。
 / {d}有个好多年没见的朋友专门从{city}来找我玩。
 / 你猜{d}谁站在我家门口？我{city}的朋友，拖着两个大箱子。
B: 真好啊！你们都干嘛了？
A did: 去了{sight}，还捧着纸袋吃了{dish}。
 / 带朋友去看了{sight}，回来的路上彻底迷路了。
 / 大部分时间窝在厨房聊天，有一天下午去了{sight}。
A?: {n}天一眨眼就过去了。
B?: 你要回访吗？
A next: {n}个月后我过去，票都买好了。
 / 答应了{n}个月后去{city}给人家过生日。
T: 朋友来看我那次
W came: 有朋友从{city}来
N: 客人就像鱼，我奶奶老这么说。
 / 上学时候的朋友大多断了联系。
Q when came: {A}的朋友什么时候来的？
Q where came: {A}的客人是从哪儿来的？
Q single did: {A}跟来访的朋友做了什么？
 / {A}带朋友去看了什么？
Q how next: {A}什么时候回访朋友？
QB comparison came: {A}和{B}的客人分别从哪里来？
== lostthing what:thing place:venue kin:kin d:past !lost
A lost: 我{d}把{what}弄丢了，多半是在{place}，家里翻了个底朝天。
 / {d}我的{what}在{place}附近不见了。
 / 有人在{place}捡到过{what}吗？我的{d}就没了。
B: 真烦，问过那边没？
A asked: 打了三次电话，他们只有一只手套。
 / 问了，人家还笑我。
--
A found: 你绝对想不到在哪儿找到的：一直在我{kin}的大衣口袋里。
 / 找到了！有个陌生人打给了我{kin}。
T: 我丢的{what}
W lost: 丢了{what}
N: 我什么都丢，就是体重丢不掉。
 / 我的{what}有一次自己去了别的城市。
Q single lost: {A}丢了什么？
Q where lost: {A}的{what}丢在哪儿了？
Q when lost: {A}的{what}什么时候不见的？
Q change found: {A}的{what}后来找到了吗？
 / {A}丢的东西最后在哪儿找到的？
Q who found: {A}丢的{what}在谁那儿，或者谁得到的消息？
QB comparison lost: {A}和{B}分别丢了什么？
== dating who:job place:venue d:past e:next n:few
A met: 我认识了一个人！是{who}，特别逗，{d}在{place}聊了{n}个小时。
 / {d}在{place}认识了一个{who}，这几天老想笑。
 / {d}跟一个{who}约会了，在{place}坐到人家打烊。
B: 快讲讲！还会再见吗？
A next: 我们{e}一起做饭。
 / {e}，各带一把伞去散步。
--
B: 你那个约会对象呢？
A over: 结束了，想要的东西不一样，也挺好。
 / 我们在一起了！连爸妈都见了。
T: 那次约会
W met: 跟{who}约会
N: 感情这事真复杂。
 / 周末{place}全是情侣。
Q single met: {A}的约会对象是做什么的？
Q where met: {A}在哪儿约会的？
Q when met: {A}什么时候认识了新的人？
Q when next: {A}什么时候再跟约会对象见面？
Q change over: {A}跟约会对象后来怎么样了？
 / {A}现在谈恋爱了吗？
== appointment who:doctor day:weekday other:weekday d:next n:some
A plan: 我{d}约了{who}，十点{n}分，拖了一年了。
 / 约的{who}是{d}，祝我好运吧。
B?: 别紧张，看什么呀？
A about: 就是例行检查，可我讨厌那股味道。
 / 一笑就疼，去问问怎么回事。
--
A moved: {who}那边给我改到{other}了。
 / {who}病了，我的预约改成{other}。
T: 约{who}的事
N: 候诊室的杂志都是旧的。
 / 哪天我也该去看看{who}。
Q when plan: {A}原来约的{who}是哪天？
Q change moved: {A}的预约改到星期几了？
 / {A}现在什么时候去见{who}？
Q why about: {A}为什么要去见{who}？
Q single plan: {A}约了去见谁？
== neighbour what:style n:few kin:kin night:weekday !loud
A loud: 我邻居每{night}放{what}放到凌晨{n}点，墙又薄。
 / 新邻居搬来以后我就没睡好，{night}必放{what}！
B: 你跟人家说过没？
A talk: 写了张客气的纸条，结果改了错别字给我退回来了。
 / 送了块蛋糕，聊得挺好，还给了我一把备用钥匙。
--
A peace: 邻居道歉了，送了我一副系蝴蝶结的耳塞。
 / 最后因为邻居报了警。
T: 吵闹的邻居
N: 远亲不如近邻啊。
 / 这楼里谁的闹钟我都听得见。
Q single loud: {A}的邻居做什么事烦人？
 / 什么音乐吵得{A}睡不着？
Q when loud: {A}的邻居星期几吵？
Q how talk: {A}怎么跟邻居沟通的？
Q change peace: {A}跟邻居的矛盾最后怎么样了？
== series film:film genre:genre kin:kin n:few
A watch: 我在跟{kin}追一部{genre}剧，都看到第{n}季了。
 / {kin}给我安利了一部{genre}剧，已经刷了{n}季。
B?: 好看吗？
A like: 前几集有点慢，后面特别刺激，我最喜欢那个膝盖不好的侦探。
 / 挺傻的，不过累了一天看看能笑。
A?: 让我想起{film}。
T: 那部剧
N: 我没时间追剧。
 / 为什么剧都是越拍越烂。
Q single watch: {A}在看什么类型的剧？
Q who watch: {A}跟谁一起追剧？
Q how like: {A}觉得那部剧怎么样？
QB comparison watch: {A}和{B}分别看什么类型的剧？
== roots country:country city:city kin:kin n:few #family=from
B?: 你们家祖上是哪里的？
A from: 我{kin}是从{country}过来的，带着{n}个孩子和一台缝纫机。
 / 我们家有一半是{country}的，{kin}到现在还有口音。
 / 我的根在{country}，{kin}以前在那边开小店。
B: 我还真不知道！那边还有亲戚吗？
A still: 在{city}有几个表亲，过年写写信。
 / 就剩{city}一座没人住的老房子。
A have: 这个旧戒指就是那边带来的，代表爱和耐心，我天天戴着。
 / 我有个那边的木盒子，看到它就想起自己从哪儿来。
T: 我家过去的事
W from: 祖上是{country}的
N: 家谱看得我头晕。
 / 好想知道我的名字是怎么来的。
Q where from: {A}家是从哪里来的？
 / {A}的根在哪个国家？
Q who from: {A}家谁是从{country}来的？
Q where still: {A}在哪个城市有亲戚或者老房子？
Q single have: {A}有什么东西能想起自己的根？
Q implicit from: {A}的亲戚可能会说什么语言？
QB comparison from: {A}和{B}的家族分别来自哪个国家？
== opinion what:gadget vice:vice job:job
A think: 说实话，我觉得小孩十二岁以前不该有{what}。
 / 我一直在想，度假根本用不着{what}。
B: <我不同意|我看法不一样>，<要看孩子|有时候挺有用的>。
 / 你说得对，真希望我小时候没有这东西。
A why: 我侄子现在头都不抬，连蛋糕都不吃。
 / 看了篇讲睡眠的长文章，把我吓到了。
T: 那次讨论
N: 现在谁都有自己的看法。
 / 我的{what}又坏了，顺便说一句。
Q single think: {A}对{what}是什么看法？
Q why why: {A}为什么反对？
== collecting what:collect kin:kin n:some d:past #hobby=have
A have: 我的收藏{d}又多了一件：在跳蚤市场淘到{what}。
 / {d}给收藏添了{what}。
 / 看我{d}收到什么：{what}！[图片：架子上的{what}]
B?: 你现在有多少件了？
A many: {n}件，我{kin}说够了。
 / 数到{n}件就没再数。
T: 我的收藏
N: 我什么都扔，受不了落灰。
 / 跳蚤市场全是宝贝。
Q when have: {A}什么时候收到{what}的？
Q count many: {A}收到{what}的时候有多少件藏品？
QS list have: {A}收藏了什么？
 / {A}的收藏里添了哪些东西？
QS count have: {A}的收藏添了几件东西？
"""
