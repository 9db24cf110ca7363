"""Chinese scenes, as a comedy would have them."""

SCRIPT = """
== lost thing:thing spot:spot
A: 有谁看见我的{thing}了？
 / 谁动我{thing}了？
B: 你最后一次见是什么时候？
A?: 我要知道还问你？
C found: 我看见你的{thing}在{spot}。
 / {thing}啊？不就在{spot}嘛，我差点踩到。
 / {thing}我找到了，在{spot}，你找遥控器的时候落那儿的，{A}。
A: <你怎么不早说|你可救了我一命>！
B why: 还不是{C}半夜三点起来大扫除。
 / 你追那只鸽子的时候掉的吧，{A}。
 / {C}找蜘蛛把东西全挪了，所以才会不见的。
Q where found: {A}的{thing~}在哪儿？
 / {C}在哪里看见{thing~}的？
Q who found: 谁知道{A}的{thing~}在哪儿？
 / {thing~}是谁找到的？
Q what found: {A}在找什么？
 / {A}丢了什么东西？
Q why why: {A}的{thing~}为什么会不见？
 / {thing~}怎么会不在原来的地方？
== ate dish:dish kin:kin
A what: 我的{dish}呢？我留着晚上吃的！
 / 谁把我的{dish}吃了！
B: <别看我|关我什么事>。
C eaten: 好吧，是我，我太饿了！
 / 行行行，我早饭吃掉的。
 / {dish}是我吃的，{A}，全吃了，下次还吃。
A: 你把我的{dish}吃了？
C why: {B}说没人要了。
 / 我相亲失败，需要安慰。
 / 再不吃就坏了。
 / 是{B}让我吃的，再说我也饿。
A from: 那是我{kin}亲手给我做的！
 / 那可是{kin}带来的。
 / 那{dish}是我{kin}给我做的！
Q who eaten: 谁吃了{A}的{dish~}？
 / {A}的{dish~}被谁吃掉了？
Q why why: {C}为什么吃了{dish~}？
 / {C}拿{A}的东西吃是因为什么？
Q what what: {A}什么吃的不见了？
 / {A}本来打算晚上吃什么？
Q who from: {A}的{dish~}是谁做的？
 / {A}的{dish~}是哪儿来的？
== secret job:job city:city
A: 你能保密吗？
 / 我跟你说件事，你谁也别告诉。
B: <当然|不能，你说吧>。
A offer: 我拿到{city}的工作了。
 / {city}有家公司请我去当{job}。
 / 我有个秘密：{city}那边请我去工作，当{job}。
B: 啊？什么时候走？
A when: 两周以后。
 / 过完节就走。
 / 下个月一号。
 / 两周后走，一大早离开。
C: 谁要走？
B told: {A}要去{city}上班了！
 / 没有谁！好吧，{A}要搬到{city}去。
 / {A}告诉我一个秘密：要去{city}工作了！哎呀说漏了。
A: {B}！你连四秒都没忍住。
Q where offer,told: {A}要去哪里工作？
 / {A}的新工作在哪个城市？
Q when when: {A}什么时候走？
 / {A}打算哪天离开？
Q who told: 谁把{A}的事告诉了{C}？
 / 谁没替{A}保住秘密？
Q what offer: {A}的秘密是什么？
 / {A}跟{B}透露了什么？
== blinddate d:weekday job:job spot:venue
A setup: 我给你介绍了个对象，{d}晚上八点。
 / {B}，{d}你有个相亲，对方是{job}，不用谢。
 / 我给你安排了相亲，{B}，{d}，对方是我同事，当{job}的。
B: 不去，绝对不去。
A: 哎呀{B}！
C?: 我去我去。
B why: 上次你介绍的那个讲他妈讲了三个小时。
 / 上回那人还带着他的雪貂！
 / 我不想去相亲！上次见的人讲了三个小时他妈妈。
A where: 你们在{spot}见面。
 / 我订好了，{spot}，特别浪漫。
 / 相亲见面的地方是{spot}，像个大人一样去见个面。
B?: 行吧，就一个小时。
Q who setup: 谁给{B}安排了相亲？
 / {B}的相亲是谁介绍的？
Q when setup: {B}哪天相亲？
 / {B}该在什么时候去见面？
Q why why: {B}为什么不想去相亲？
 / {B}上次见的人有什么问题？
Q where where: 相亲在哪儿见面？
 / {B}要去哪里跟人见面？
== stuck thing:thing spot:venue
A stuck: 那个，我卡住了，手卡在{spot}的自动售货机里。
 / 不许笑，我的头卡在{spot}的栏杆里了。
 / 我遇到麻烦了，卡在{spot}的机器里了。
B: 你怎么做到的？
A why: 我的{thing}掉进去了！
 / 我看见{thing}在里面，就伸手去够。
 / 我伸手去够{thing}，就卡住了！
C: 要不要叫消防队？
B how: 抹点黄油就行，我舅舅试过。
 / 用肥皂啊，谁不知道用肥皂。
 / 我出个主意：抹黄油就能把你救出来。
A: 快点！
Q where stuck: {A}卡在哪儿了？
 / {A}在什么地方出的事？
Q why why: {A}为什么会卡住？
 / {A}伸手去够什么？
Q how how: {B}想怎么救{A}？
 / {B}出了什么主意？
Q who how: 谁提议用滑溜溜的东西？
Q what stuck: {A}怎么了？
 / {A}遇到什么麻烦？
== lies job:job
A claim: 我跟他们说我是{job}。
 / 在聚会上我就随口说自己是{job}。
 / 我撒谎了，冒充自己是{job}。
B: 你为什么这么说？
A why: 因为{C}的朋友太好看了，我一慌！
 / 人家工作都那么好，我觉得没面子。
 / 我撒谎是因为他们工作都那么好，{C}的朋友又在听。
C: 那现在呢？
A now: 现在周一我得去做个讲座。
 / 现在他们要请我去上班。
 / 后果就是我得给真正的内行做讲座。
B advice: 你就老老实实说真话吧。
 / 装发烧啊，我都这样。
 / 我建议你装发烧，赶紧收场。
Q what claim: {A}冒充什么？
 / {A}撒了什么谎？
Q why why: {A}为什么撒谎？
 / 是什么让{A}说了假话？
Q what now: {A}因为撒谎要做什么？
 / {A}说的话带来了什么后果？
Q how advice: {B}建议怎么办？
 / 按{B}的说法{A}该怎么收场？
"""
