"""The lexicon of the template chats: pools of things, each with its English and its Chinese word.

`said~looser=说法~更宽泛`: the looser word, where there is one, is what a paraphrase may use.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One thing: how each language says it, and how it may say it more loosely."""

    said: tuple[str, str]
    looser: tuple[str, str]


_POOLS = """
kin: sister=姐姐; brother=哥哥; mother~mom=妈妈~母亲; father~dad=爸爸~父亲; cousin=表弟; aunt=姑姑; uncle=舅舅;
 grandmother~grandma=奶奶; grandfather~grandpa=爷爷; nephew=侄子; niece=侄女; daughter=女儿; son=儿子
contact: boss=老板; coworker=同事; neighbour=邻居; roommate=室友; landlord=房东; best friend=闺蜜~最好的朋友;
 classmate=同学;
 yoga teacher=瑜伽老师; manager=经理; mentor=导师; old teammate=老队友; business partner=合伙人
school: Riverside College=河畔学院; Northern University=北方大学; Hillcrest Academy=山顶学院;
 Coastal Polytechnic=海滨理工;
 Saint Clair University=圣克莱尔大学; Eastgate University=东门大学
degree: high school diploma~high school=高中; bachelor's degree~undergraduate degree=本科; master's degree=硕士;
 doctorate~PhD=博士;
 college diploma~college=大专
wherefrom: Lisbon=里斯本; Kyoto=京都; Hangzhou=杭州; Dublin=都柏林; Chengdu=成都; Montreal=蒙特利尔; Qingdao=青岛
event: spring robotics workshop=春季机器人工作坊; company anniversary party~work party=公司周年庆~公司活动;
 food safety training=食品安全培训;
 neighbourhood book swap=社区换书会; poetry reading=诗歌朗诵会; design summit~design conference=设计峰会~设计大会;
 charity run=慈善跑; photo exhibition=摄影展; parents' evening=家长会; startup pitch night=创业路演;
 choir concert=合唱音乐会;
 first aid course=急救课程; data privacy seminar=数据隐私研讨会; wine tasting=品酒会
purpose: raising money for the library=给图书馆筹款; meeting new clients~finding customers=认识新客户;
 teaching beginners=教新手入门; thanking the volunteers=感谢志愿者; showing the new products=展示新产品
clothing: medium=中号; large=大号; small=小号; extra large=特大号
doctor: dentist=牙医; eye doctor=眼科医生; tax office=税务局; skin doctor=皮肤科医生; bank=银行; hairdresser=理发师;
 notary=公证处;
 physiotherapist=理疗师
collect: a brass compass=一个黄铜指南针; an old stamp=一枚老邮票; a glass marble=一颗玻璃弹珠;
 a tin robot=一个铁皮机器人;
 a silver spoon=一把银勺子; a vintage postcard=一张旧明信片; a wooden mask=一个木面具; a tiny teacup=一只小茶杯;
 a music box=一个八音盒; a comic from the fifties=一本五十年代的漫画
craft: bowl=碗; vase=花瓶; mug~cup=马克杯~杯子; plate=盘子; teapot=茶壶; candle holder=烛台; flower pot=花盆
city: Lisbon=里斯本; Kyoto=京都; Toronto=多伦多; Berlin=柏林; Cape Town=开普敦; Chengdu=成都; Oslo=奥斯陆; Lima=利马;
 Melbourne=墨尔本; Hangzhou=杭州; Dublin=都柏林; Seville=塞维利亚; Montreal=蒙特利尔; Xiamen=厦门; Edinburgh=爱丁堡;
 Naples=那不勒斯; Kunming=昆明; Denver=丹佛; Hanoi=河内; Qingdao=青岛
country: Portugal=葡萄牙; Japan=日本; Peru=秘鲁; Norway=挪威; Morocco=摩洛哥; Vietnam=越南; Iceland=冰岛; Greece=希腊;
 Mexico=墨西哥; New Zealand=新西兰; Scotland=苏格兰; Thailand=泰国; Kenya=肯尼亚; Croatia=克罗地亚
dish: lasagna~pasta=千层面~面食; ramen~noodle soup=拉面~汤面; paella~rice dish=海鲜饭~米饭; dumplings=饺子;
 mushroom risotto~rice dish=蘑菇烩饭; fish tacos=鱼肉卷饼; beef stew=炖牛肉~牛肉; pumpkin soup~soup=南瓜汤~汤;
 pad thai~noodles=炒河粉~粉; apple pie~dessert=苹果派~甜点; banana bread~cake=香蕉面包~糕点; hotpot=火锅;
 mapo tofu~tofu=麻婆豆腐~豆腐; cheesecake~dessert=芝士蛋糕~甜点; falafel=炸豆丸子; kimchi stew~stew=泡菜汤~汤
cuisine: Thai=泰国; Italian=意大利; Ethiopian=埃塞俄比亚; Mexican=墨西哥; Korean=韩国; Lebanese=黎巴嫩; Japanese=日本;
 Indian=印度; Vietnamese=越南; Greek=希腊
pet: golden retriever~dog=金毛~狗; tabby kitten~cat=小花猫~猫; parrot~bird=鹦鹉~鸟; rabbit~pet=兔子~宠物;
 beagle~dog=比格犬~狗; hamster~pet=仓鼠~宠物; tortoise~pet=乌龟~宠物; siamese cat~cat=暹罗猫~猫; husky~dog=哈士奇~狗
petname: Biscuit=饼干; Luna=月月; Pepper=胡椒; Mochi=麻薯; Captain=船长; Olive=橄榄; Waffles=豆包; Nori=海苔;
 Pickle=咕噜;
 Ziggy=闪电; Tofu=豆腐; Maple=枫糖
hobby: bird watching=观鸟; knitting=织毛衣; archery=射箭; chess=下棋; astronomy~star gazing=天文~看星星;
 woodworking=木工; salsa dancing~dancing=跳萨尔萨~跳舞; calligraphy=书法; rock climbing~climbing=攀岩;
 watercolour painting~painting=水彩画~画画; fencing=击剑; baking=烘焙; beekeeping=养蜂; origami~paper folding=折纸
sport: badminton=羽毛球; tennis=网球; basketball=篮球; swimming=游泳; table tennis=乒乓球; volleyball=排球;
 football~soccer=足球; ice hockey=冰球; rowing=划船; boxing=拳击
instrument: violin=小提琴; cello=大提琴; guitar=吉他; piano=钢琴; ukulele=尤克里里; drums=架子鼓; flute=长笛;
 harp=竖琴;
 saxophone=萨克斯; erhu=二胡
book: The Glass Orchard=《玻璃果园》; A Winter Away=《远方的冬天》; Nine Lanterns=《九盏灯》; The Salt Road=《盐路》;
 Letters to No One=《无人的信》; The Clockmaker's Garden=《钟表匠的花园》; Blue Hour=《蓝色时刻》;
 The Last Ferryman=《最后的摆渡人》; Small Rivers=《小河》; The Quiet Algorithm=《安静的算法》;
 A House of Maps=《地图之家》; Under the Plum Tree=《梅树下》
film: Paper Moons=《纸月亮》; The Tenth Platform=《十号站台》; Midnight Harvest=《午夜收成》; Northern Line=《北线》;
 The Orange Umbrella=《橙色雨伞》; Silent Harbour=《静港》; Echo Valley Nine=《回声九号》;
 The Last Dumpling=《最后一个饺子》;
 Running on Sand=《沙上奔跑》; A Dog Called Tuesday=《星期二这条狗》
genre: fantasy=奇幻; science fiction=科幻; crime stories~mysteries=推理~侦探; history=历史; romance=爱情;
 biography=传记
job: nurse=护士; architect=建筑师; accountant=会计; translator=翻译; pastry chef=糕点师;
 software engineer~programmer=程序员;
 teacher=老师; vet=兽医; journalist=记者; electrician=电工; pharmacist=药剂师; graphic designer=平面设计师;
 lawyer=律师; dentist=牙医; bus driver=公交司机; librarian=图书管理员; civil engineer=土木工程师; pilot=飞行员
company: Northwind Labs=北风科技; Harbor Bank=海港银行; Greenleaf Foods=绿叶食品; Atlas Logistics=阿特拉斯物流;
 Bluebird Media=蓝鸟传媒; St. Anna Hospital=安娜医院; Silver Fern Studio=银蕨工作室; Orchid Insurance=兰花保险;
 Lakeside School=湖畔学校; Red Lantern Games=红灯笼游戏; Delta Power=三角洲电力; Juniper Hotels=杜松酒店
gift: silk scarf~scarf=丝巾; cookbook~book=菜谱~书; pair of earrings~piece of jewelry=耳环~首饰;
 wool hat~hat=毛线帽~帽子;
 record player=唱片机; coffee grinder=咖啡磨豆机; puzzle=拼图; leather wallet~wallet=皮钱包~钱包;
 desk lamp~lamp=台灯~灯;
 yoga mat=瑜伽垫; tea set=茶具; umbrella=雨伞; necklace~piece of jewelry=项链~首饰; backpack~bag=双肩包~包
gadget: phone=手机; laptop~computer=笔记本电脑~电脑; camera=相机; electric bike~bike=电动车~车; tablet=平板;
 robot vacuum=扫地机器人; e-reader=电子书; telescope=望远镜; air fryer=空气炸锅; drone=无人机; washing machine=洗衣机
furniture: bookshelf=书架; sofa~couch=沙发; standing desk~desk=升降桌~桌子; rug~carpet=地毯;
 dining table~table=餐桌~桌子;
 wardrobe=衣柜; armchair~chair=单人沙发~椅子; mattress=床垫
colour: green=绿色; navy blue~blue=深蓝色~蓝色; yellow=黄色; red=红色; white=白色; purple=紫色; orange=橙色; grey=灰色
allergen: peanuts~nuts=花生~坚果; shellfish~seafood=虾蟹~海鲜; cow's milk~dairy=牛奶~奶制品; fish=鱼; eggs=鸡蛋;
 strawberries~fruit=草莓~水果; gluten~bread=麸质~面包; sesame=芝麻
injury: ankle=脚踝; wrist=手腕; knee=膝盖; shoulder=肩膀; elbow=胳膊肘; back=腰; finger=手指
illness: the flu=流感; a bad cold~a cold=重感冒~感冒; a migraine~headaches=偏头痛~头疼; a stomach bug=肠胃炎;
 bronchitis~a cough=支气管炎~咳嗽;
 an ear infection=中耳炎; pneumonia=肺炎; insomnia~sleep trouble=失眠
treatment: acupuncture=针灸; physiotherapy~exercises=康复训练; antibiotics~medicine=抗生素~药; ginger tea=姜茶;
 meditation=冥想; a week of rest~rest=卧床休息~休息; swimming=游泳; herbal medicine=中药
plant: tomatoes=番茄; basil=罗勒; roses=玫瑰; an orchid=兰花; sunflowers=向日葵; chili peppers=辣椒;
 strawberries=草莓;
 lavender=薰衣草; a lemon tree=柠檬树; succulents=多肉
drink: oolong tea~tea=乌龙茶~茶; black coffee~coffee=黑咖啡~咖啡; hot chocolate=热巧克力; lemonade=柠檬水;
 matcha=抹茶;
 ginger beer=姜汁汽水; bubble tea~milk tea=珍珠奶茶~奶茶; sparkling water~water=气泡水; chai=印度奶茶
season: spring=春天; summer=夏天; autumn~fall=秋天; winter=冬天
weekday: Monday=周一~星期一; Tuesday=周二~星期二; Wednesday=周三~星期三; Thursday=周四~星期四; Friday=周五~星期五;
 Saturday=周六~星期六; Sunday=周日~星期天
few: two=两; three=三; four=四; five=五; six=六
price: ninety dollars=九十块; two hundred euros=两百欧; 350 dollars=三百五; a thousand dollars~a lot of money=一千块;
 75 euros=七十五块; 480 dollars=四百八; 620 euros=六百二; almost nothing=没几个钱; 150 pounds=一百五
some: seven=七; nine=九; twelve~a dozen=十二; fifteen=十五; twenty=二十; thirty=三十; forty=四十
cause: an animal shelter=流浪动物救助站; a food bank=食物银行; a hospice=临终关怀医院;
 a children's library=儿童图书馆;
 a beach clean-up~cleaning the beach=海滩清洁~捡垃圾; a homework club=课后辅导班; a community garden=社区菜园;
 a soup kitchen=爱心厨房; a retirement home~old people=养老院~老人
exam: driving test=驾照考试~驾照; bar exam~law exam=司法考试~法考; French exam=法语考试; nursing exam=护士资格考试;
 accounting exam=注册会计师考试; entrance exam=入学考试; Japanese exam=日语考试; pilot's exam=飞行执照考试
language: Italian=意大利语; Korean=韩语; Arabic=阿拉伯语; Spanish=西班牙语; Swedish=瑞典语; Portuguese=葡萄牙语;
 Russian=俄语;
 sign language=手语; Cantonese=粤语; German=德语
artist: The Velvet Foxes=丝绒狐狸; Mara Lind=林玛拉; Paper Tigers=纸老虎乐队; DJ Comet=彗星;
 The Slow Trains=慢火车乐队;
 Ines Duarte=伊内斯; Night Market Band=夜市乐队; Old Harbour Choir=老港合唱团
fear: heights=恐高~高处; spiders=蜘蛛~虫子; flying~planes=坐飞机~飞机; the dark=黑; deep water~water=深水~水; dogs=狗;
 needles~injections=打针; public speaking~speaking to an audience=当众讲话; thunder~storms=打雷
landmark: the old lighthouse~lighthouse=老灯塔; the night market~market=夜市; a hot spring~bath=温泉;
 the botanical garden~garden=植物园;
 a castle=城堡; the railway museum~museum=铁路博物馆~博物馆; a waterfall=瀑布; a volcano=火山; the aquarium=水族馆;
 a temple=寺庙
venue: community centre=社区中心; library=图书馆; university~college=大学; park=公园; town hall=市政厅; museum=博物馆;
 rooftop bar~bar=天台酒吧~酒吧; beach=海边; church=教堂; school gym~school=学校体育馆~学校;
 studio downtown=市中心的工作室
spot: under the couch=沙发底下; in the fridge=冰箱里; in the car=车里; behind the curtain=窗帘后面;
 on the balcony=阳台上;
 at the laundromat=洗衣店; on the roof=屋顶上; in the kitchen drawer=厨房抽屉里; at the coffee shop=咖啡馆;
 in the bathroom=卫生间; in the elevator=电梯里; under the bed=床底下; at the gym=健身房; on the bookshelf=书架上
thing: keys=钥匙; passport=护照; wallet=钱包; glasses=眼镜; phone=手机; umbrella=雨伞; headphones=耳机; ring=戒指;
 watch=手表;
 scarf=围巾; ticket=票; remote=遥控器
trait: funny=幽默; patient=有耐心; generous=大方; stubborn=固执; shy=内向; brave=勇敢; messy=邋遢; honest=诚实;
 curious=好奇
reason: the rent went up=房租涨了; the commute was too long=通勤太久; my boss kept shouting=老板老是吼人;
 I wanted to be near my parents=想离父母近一点; I needed a change=想换个环境; the pay was bad=工资太低
goal: run a marathon~race=跑一次马拉松; write a novel~book=写一本小说~书; open a café~business=开一家咖啡馆~店;
 buy a house~home=买一套房; learn to sail~boat=学会开帆船; publish my photos=出一本摄影集; start a podcast=做一档播客
animal: a fox=一只狐狸; a deer=一头鹿; an owl=一只猫头鹰; a hedgehog=一只刺猬; a seal=一只海豹; a heron=一只白鹭;
 a squirrel=一只松鼠; a snake=一条蛇; a peacock=一只孔雀; a turtle=一只海龟
style: jazz=爵士; hip hop=嘻哈; classical music~classical=古典音乐~古典; folk=民谣; metal=金属; opera=歌剧;
 techno=电子乐; K-pop=韩流
vehicle: van=面包车~车; motorcycle~bike=摩托车~车; hatchback~car=两厢车~车; electric car~car=电动汽车~车;
 scooter=小摩托~车
habit: running before work~jogging=上班前跑步~晨跑; journaling~keeping a diary=写日记; cold showers=洗冷水澡;
 intermittent fasting~fasting=轻断食;
 yoga=瑜伽; reading before bed~reading=睡前看书~看书; meditating~meditation=冥想; walking to work=走路上班
vice: sugar~sweets=糖~甜食; smoking~cigarettes=抽烟; social media=刷社交媒体; coffee=咖啡;
 online shopping~shopping=网购;
 alcohol~drinking=喝酒; video games~gaming=打游戏
memory: catching fireflies=抓萤火虫; fishing at the lake=去湖边钓鱼; building a tree house=搭树屋;
 picking blackberries=摘桑葚;
 stargazing from the roof=在屋顶看星星; sledding behind the school=在学校后面滑雪橇; flying kites=放风筝;
 making dumplings=包饺子
trip: camping=露营; skiing=滑雪; hiking~a walk in the hills=爬山~徒步; kayaking~paddling=划皮划艇; cycling=骑行;
 surfing=冲浪; fishing=钓鱼
"""


def _word(entry: str) -> Word:
    english, _, chinese = entry.partition("=")
    said, looser = zip(*(_forms(side) for side in (english, chinese)), strict=True)
    return Word(said=(said[0], said[1]), looser=(looser[0], looser[1]))


def _forms(side: str) -> tuple[str, str]:
    said, _, looser = side.strip().partition("~")
    return said, looser or said


def _read() -> dict[str, tuple[Word, ...]]:
    pools: dict[str, tuple[Word, ...]] = {}
    for line in _POOLS.replace(";\n", ";").strip().splitlines():
        name, _, entries = line.partition(": ")
        pools[name] = tuple(_word(entry) for entry in entries.split(";"))
    return pools


POOLS = _read()
"""Every pool by its name."""
