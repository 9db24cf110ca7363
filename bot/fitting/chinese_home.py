"""Chinese topics around home: moving, animals, things, food and family."""

SCRIPT = """
== moving city:city old:city why:reason d:past n:few
A moved: 跟你说个大事，我{d}搬到{city}了。
 / 我终于到{city}啦！{d}搬的家，东西还没收拾完。
 / {d}我叫了辆货车，把全部家当拉到{city}了。
B?: 这么突然？<为什么呀|怎么想的>？
A why: 主要是{why}。
 / 唉，{why}，没办法。
 / 说白了就是{why}。
 / 我搬家是因为{why}，一点都不后悔。
 / 离开的原因很简单：{why}。
B: 你之前是住哪儿来着？
A old: {old}，住了{n}年。
 / 在{old}待了{n}年呢。
 / 搬之前我住在{old}，一住就是{n}年，窗外就是停车场。
--
B?: 新家住得惯吗？
A back: 不太习惯{city}，我决定<搬回{old}|回{old}去>了。
 / {city}不适合我，已经在{old}重新租好房子了。
 / 我又要搬家了！{city}住着不舒服，开春就住回{old}。
T: 搬家的事
 / {city}的新家
W moved: 搬到{city}
N: <我可受不了|打死我也不想>住在{city}，<人太多|太冷|太贵>。
 / 同事天天念叨搬家，我一看到纸箱就头疼。
Q when moved: {A}是什么时候搬到{city}的？
 / {A}哪天搬的家？
Q why why: {A}为什么<搬家|离开原来住的地方>？
Q change old: {A}<原来|搬家以前>住在哪里？
Q change back: {A}现在打算住哪儿？
Q how old: {A}在{old}住了多久？
QB comparison moved: {A}和{B}分别搬到哪个城市了？
== pet pet:pet name:petname n:few d:past !sick #family=name
A got: 我{d}领养了一只{pet~}！
 / 家里添了新成员，{d}从救助站抱回来一只{pet~}。
 / {d}我终于下决心养{pet~}了。
 / 我养宠物啦！{d}领养了{pet~}，家里天天鸡飞狗跳。
B?: 好可爱！叫什么名字？
A name: 叫{name}，<一天拍了一百张照片|跟它的脸特别配>。[图片：趴在沙发上的{pet}]
 / {name}。
 / 全家投票，最后定了{name}。
 / 我家{pet~}的名字叫{name}，跟小时候看的动画片主角一样。
B?: 什么品种的？
A kind: 是{pet}，才{n}个月大。
 / {pet}，医生说{n}个月了。
 / 品种是{pet}，现在{n}个月大。
--
B?: {name}最近怎么样？
A sick: 别提了，昨晚在宠物医院待了一夜，吞了只袜子。
 / {name}把袜子吃了，只能送去急诊。
 / 我家{pet~}生病了，{name}吞了只袜子，去医院动了手术。
T: 我家{pet~}
 / {name}
W got: 领养了{pet~}
N: 我也想养{pet~}，可房东不让。
 / 这么小的房子能养{pet~}吗？
 / 昨晚梦见一只会说话的{pet~}。
Q single name: {A}的{pet~}叫什么？
 / {A}给宠物起了什么名字？
Q single kind: {A}养的是什么品种？
 / {name}是什么动物？
Q when got: {A}什么时候<领养|养>的{pet~}？
Q why sick: {A}的宠物为什么去医院？
 / {name}出什么事了？
Q who name: {name}是谁？
QB comparison name: {A}和{B}的宠物分别叫什么？
QB comparison kind: {A}和{B}谁家的宠物个头大？
== gift gift:gift kin:kin d:past #family=bought #bought=bought
B?: 最近忙什么呢？
A bought: 我{d}给{kin}买了{gift}。
 / {d}逛街，挑了{gift}送我{kin}。
 / 想给{kin}找个礼物，{d}最后选了{gift}。
B: <喜欢吗|反应怎么样|送出去了没>？
A liked: <高兴得不得了|都感动哭了>，说是收过最好的礼物。
 / 唉，退了，<颜色不对|大小不合适>。
 / {kin}特别喜欢这个礼物，当场就哭了。
 / {kin}好像不喜欢我送的礼物，直接塞抽屉里了。
T: 送{kin}的礼物
N: 我永远不知道该送人什么。
 / 以后可以送人{gift}，挺实用的。
 / 我{kin}总说送礼是浪费钱。
Q single bought: {A}给{his}{kin}买了什么？
 / {A}送{kin~}的礼物是什么？
Q who bought: {A}的{gift~}是买给谁的？
 / 谁收到了{A}送的{gift~}？
Q when bought: {A}哪天买的{gift~}？
Q how liked: {A}送的礼物对方喜欢吗？
QB comparison bought: {A}和{B}分别给家人买了什么？
== furniture thing:furniture colour:colour d:past #bought=bought
A bought: 我的新{thing}{d}送到了，{colour}的！
 / {d}咬牙买了个{colour}的{thing}。
 / {d}一个人把{colour}的{thing}扛上了六楼。
 / {d}买了件家具，二手店淘的，{colour}的{thing}。
B?: 跟家里搭吗？
A room: 先放卧室了，准备挪到窗边。
 / 意外地搭，就摆在窗户下面。
 / {thing}我放在卧室窗户边上了。
T: 那个{thing}
N: 一直想重新装修，今年是没戏了。
 / {colour}的{thing}放我家肯定丑。
Q single bought: {A}给家里添了什么家具？
 / {A}的{thing~}是什么颜色的？
Q where room: {A}把{thing~}放哪儿了？
Q when bought: {A}的{thing~}是什么时候买的？
== garden plant:plant other:plant d:past #outdoors=planted #hobby=planted
A planted: 我{d}在阳台上种了{plant}。
 / {d}在院子里忙了半天，种了{plant}。
 / 指甲缝里还有泥呢，{d}刚种下{plant}。
 / 我的花园越来越像样了，{d}种了两排{plant}。
B?: 可以啊，还种别的了吗？
A more: 还有{other}。
 / 再加上{other}，种在篱笆旁边。
 / 我还种了{other}，不怎么费水。
--
B: 你的小花园怎么样了？
A died: 全被蜗牛吃了，心碎。
 / 一场霜，基本都冻死了。
 / 昨天第一次收获，还分了邻居一些！
 / 种的东西长得不好，花园里全是蜗牛。
 / 花园里种的菜大丰收，吃都吃不完！
T: 我的小花园
W planted: 种了{plant}
N: 我连仙人掌都能养死。
 / {plant}看看就好，让我天天浇水可不行。
Q list planted,more: {A}都种了些什么？
 / {A}家里种的是哪些植物？
Q when planted: {A}什么时候种的{plant}？
Q how died: {A}的花园后来怎么样了？
 / {A}种的东西长得如何？
Q implicit died: {A}这周能分点自己种的东西给大家吗？
== cooking dish:dish who:kin d:past #food=cooked
A cooked: 我{d}给{who}做了{dish}。
 / {d}第一次试着做{dish}，我{who}来尝的。
 / 下厨记录：{d}做了{dish}，{who}吃了两盘。[图片：一盘{dish}]
 / {d}做了一道没做过的菜：{dish}，{who}吃得精光。
 / {d}晚饭准备了{dish}，因为{who}来做客，冰箱又满着。
B?: 馋了，味道怎么样？
A taste: 有点咸，不过都吃光了。
 / 不谦虚地说，完美。
 / 糊底了，凑合吃的。
T: 我做的{dish}
N: 突然好想吃{dish}。
 / 要是{dish}能自己做好就好了。
 / {dish}难做吗？
Q single cooked: {A}给{who}做了什么吃的？
 / {A}为{who~}准备了哪道菜？
Q when cooked: {A}什么时候做的{dish~}？
Q who cooked: {A}做的{dish~}给谁吃了？
QS list cooked: {A}都做过哪些菜？
 / {A}下厨做过什么？
QS count cooked: {A}一共提到几次给别人做饭？
== allergy what:allergen dish:dish n:few !allergic
A allergic: 我对{what}过敏，你忘啦？
 / 去医院一查，原来我是{what}过敏。
 / 脸又肿了，就是{what}，一点都碰不得。
 / 我不能吃{what}，过敏，吃一口就得去医院。
B?: 啊，多久了？
A since: {n}岁就这样了。
 / {n}年前开始的。
 / 都{n}年了。
 / 我过敏已经{n}年了。
T: 过敏的事
W allergic: 对{what}过敏
N: 现在好像人人都过敏。
 / 拐角那家新店的{what}不错。
Q single allergic: {A}对什么过敏？
 / {A}不能吃什么？
Q implicit allergic: 请{A}吃有{what~}的菜合适吗？
 / 给{A}做饭的话要避开什么？
 / 带{A}去主打{what~}的店行不行？
Q how since: {A}过敏多久了？
QB comparison allergic: {A}和{B}分别有什么不能吃？
== kinjob kin:kin job:job city:city !quit #family=job
A job: 我{kin}<刚当上|现在是>{job}了。
 / 跟你说过没，我{kin}做{job}了。
 / 我{kin}找了份新工作，做{job}，从早忙到晚。
B?: 挺好啊，在哪儿？
A where: 在{city}，<就在车站边上|一个小单位>。
 / {city}那边。
 / 为了这个还搬去{city}了。
 / 工作的地方在{city}，我们很少见面。
--
A quit: 对了，我{kin}辞职了，<压力太大|夜班太多>。
 / 我{kin}那工作没了，自己提的离职。
 / 我{kin}的工作丢了，现在在家待着。
T: 我{kin}的工作
N: 当{job}肯定很累。
 / 要是能重来，我想当{job}。
Q single job: {A}的{kin}是做什么的？
 / {A}的{kin~}从事什么职业？
Q where where: {A}的{kin}在哪儿工作？
Q who job: {A}家里谁是{job~}？
Q change quit: {A}的{kin}还在做原来的工作吗？
Q two-hop job,where: {A}那个当{job~}的亲戚在哪个城市上班？
QB comparison job: {A}和{B}的亲戚分别做什么工作？
== gadget thing:gadget n:price d:past #bought=bought
A bought: 我{d}买了{thing}！
 / 旧的坏了，{d}换了个新{thing}。
 / 比价比了好几周，{d}终于下单了{thing}。
 / {d}又买了个电子产品，{thing}，我就爱买设备。
B?: 多少钱？
A price: {n}，打折买的。
 / 才{n}，用了券。
 / 别问，问就是{n}。
 / 买这个花了{n}，价格还行。
T: 新买的{thing}
N: 我的{thing}卡死了，气人。
 / 真的有人需要{thing}吗？
Q when bought: {A}什么时候买的{thing~}？
Q how price: {A}的{thing~}花了多少钱？
 / {A}买{thing~}用了多少？
QS list bought: {A}都买了哪些电器数码？
 / {A}入手过什么设备？
QS count bought: {A}一共买了几样电子产品？
== childhood what:memory kin:kin city:city #family=did
B?: 你小时候最开心的事是什么？
A did: <当然是|肯定是>跟{kin}一起{what}。
 / 每年夏天我都跟{kin}{what}。
 / 突然想起小时候和{kin}{what}。
 / 我小时候常跟{kin}一起{what}，那是我最珍贵的童年回忆。
A where: 那会儿在{city}，老房子那边。
 / 我们那时住在{city}。
 / 我在{city}长大，整个童年都在那里。
T: 小时候那些夏天
N: 六岁以前的事我全忘了。
 / 现在的小孩哪还会{what}啊。
Q single did: {A}小时候和{kin}一起做什么？
 / {A}最珍惜的童年回忆是什么？
Q where where: {A}在哪儿长大的？
 / {A}的童年是在哪里度过的？
Q who did: {A}跟谁一起{what}？
== party kin:kin dish:dish n:some d:past e:next #family=plan
A plan: 我打算{e}给{kin}办个惊喜派对。
 / {e}我们要给{kin}庆生，保密啊！
 / 我给{kin}组织了个派对，就在{e}，要给个惊喜，别说出去！
B?: 请了多少人？
A guests: {n}个，都来的话。
 / 叫了{n}个人。
 / 我请了{n}个客人，一半还带孩子。
B?: 吃什么？
A food: 我做{dish}。
 / {dish}，寿星的最爱。
 / 派对上大家吃{dish}。
--
B: 派对办得怎么样？
A off: 取消了，一半人都病了。
 / 太成功了，玩到凌晨四点。
 / 停电了！最后点着蜡烛吃凉菜。
 / 派对后来办得不错，虽然一开始没人跳舞。
T: 那个惊喜派对
W plan: 给{kin}办派对
N: 我这年纪已经不适合派对了。
 / 邻居又开派对，一夜没睡。
Q when plan: {A}给{kin}办的派对是哪天？
Q single food: {A}的派对上吃什么？
Q who plan: {A}要给谁一个惊喜？
Q count guests: {A}请了多少客人？
Q how off: {A}的派对办得怎么样？
 / {A}组织的聚会后来如何？
== flood d:past n:few !leak,fix
A leak: 我家卫生间水管{d}爆了，满地都是水。
 / {d}回家一看，屋里全淹了。
 / {d}天花板掉下来了，楼上洗衣机漏水。
 / 家里{d}出事了，洗衣机把整个厨房都淹了。
B?: 天哪，找人修了吗？
A fix: 师傅说要{n}周。
 / 得{n}周，我先住朋友家。
 / 修好要{n}周，还特别吵。
A?: 烦死了。
T: 家里漏水的事
N: 这边的水有股怪味。
Q what leak: {A}家里出了什么事？
 / {A}的房子怎么了？
Q when leak: {A}家是什么时候出事的？
Q how fix: {A}家修好要多久？
== car car:vehicle colour:colour d:past n:few !broke #bought=bought
A bought: 我{d}买了辆二手{car}，{colour}的，有点锈。
 / 从{d}起我就是{colour}{car}的主人了。
 / 我开上车了！{d}买的，{colour}的{car}，人生第一辆车。
B: 好开吗？
A broke: 开了{n}天就抛锚了！
 / 特别顺，已经跑了{n}百公里。
 / 这{car~}开起来不行，{n}天就在高速上熄火了。
 / 我的{car~}开起来很顺，连开{n}个小时没毛病。
--
A sold: {car~}我又卖了，<坐公交也挺好|缺钱>。
 / {car~}没了，卖给一个学生了。
 / 最后还是把{car~}卖了，养车太贵。
T: 我那辆{car~}
W bought: 买了{car~}
N: 今天堵得要命，满街都是{car~}。
Q single bought: {A}买了什么车？
 / {A}的{car~}是什么颜色？
Q when bought: {A}什么时候买的{car~}？
Q change sold: {A}的{car~}还在吗？
 / {A}的{car~}最后怎么处理了？
Q how broke: {A}的{car~}开起来怎么样？
"""
