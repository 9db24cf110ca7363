"""English topics around home: moving, animals, things, food and family."""

SCRIPT = """
== moving city:city old:city why:reason d:past n:few
A moved: <So, big news:|Guess what,> I moved to {city} {d}.
 / I'm finally in {city}! The truck <came|arrived> {d} and I've been unpacking since.
 / {d} I packed everything into a van and drove to {city} for good.
B?: Wow, <really|that was fast>! How come?
A why: Because {why}.
 / Well, {why}, simple as that.
 / You know, {why}, and I'd had enough.
 / I moved because {why}, and I don't regret it.
 / The reason I left was simple: {why}.
B: And <where were you before|what was the old place again>?
A old: {old}, for {n} years.
 / I spent {n} years in {old}, believe it or not.
 / Before that I lived in {old} for {n} years, in a tiny flat with a view of the parking lot.
--
B?: So, how is the new place?
A back: I've changed my mind about {city}, <I'm going back to {old}|I'm moving back to {old}> next spring.
 / Turns out {city} isn't for me. I <signed a lease in|am returning to> {old}.
 / I'm moving again! {city} was a mistake, so I'll live in {old} from spring on.
T: the move
 / my new place in {city}
W moved: moved to {city}
N: <I could never|I wouldn't want to> live in {city}, far too <busy|cold|expensive>.
 / My colleague keeps talking about moving. I hate boxes.
Q when moved: When did {A} move to {city}?
 / When did {A} <relocate|start living in {city}>?
Q why why: Why did {A} <move|relocate|leave {his} old home>?
Q change old: Where did {A} <originally live|live before the move>?
Q change back: Where does {A} <want to live now|plan to live next>?
Q how old: How long did {A} live in {old}?
QB comparison moved: Which cities did {A} and {B} move to?
== pet pet:pet name:petname n:few d:past !sick #family=name
A got: I adopted a {pet~} {d}!
 / We have a new family member: I brought home a {pet~} from the shelter {d}.
 / So {d} I finally did it and got a {pet~}.
 / I got a pet! {d} I adopted a {pet~}, and the flat has been chaos ever since.
B?: Aww! What's <the little one|it> called?
A name: {name}! <I can't stop taking pictures|Suits the face perfectly>. [photo: a {pet} on a sofa]
 / We settled on {name}.
 / {name}, after a long family debate.
 / My {pet~}'s name is {name}, like the hero of a cartoon I used to watch.
B?: And what breed exactly?
A kind: A {pet}, about {n} months old.
 / It's a {pet}, {n} months old according to the vet.
 / The breed is {pet}, and this one is {n} months old.
--
B?: How is {name} doing?
A sick: Not great, <we spent the night at the vet|the vet kept the poor thing overnight>. It was a sock!
 / {name} ate a sock, so we had to rush to the animal hospital.
 / My {pet~} got sick because of a sock, so {name} had to see the doctor for an operation.
T: my {pet~}
 / {name}
W got: adopted a {pet~}
N: I'd love a {pet~}, but my landlord would throw me out.
 / Do you think a {pet~} could live in a flat this small?
 / I dreamt of a talking {pet~} last night.
Q single name: What is <the name of {A}'s {pet~}|{A}'s pet called>?
 / What did {A} name {his} <pet|animal>?
Q single kind: What <breed|kind of animal> did {A} get?
 / What exactly is {name}?
Q when got: When did {A} <adopt|get|bring home> {his} {pet~}?
Q why sick: Why did {A}'s pet have to see a doctor?
 / What went wrong with {name}?
Q who name: Who is {name}?
QB comparison name: What are the names of {A}'s and {B}'s pets?
QB comparison kind: Who has the bigger animal at home, {A} or {B}?
== gift gift:gift kin:kin d:past #family=bought #bought=bought
B?: What have you been <doing|up to>?
A bought: I <bought|found|picked up> a {gift} for my {kin} {d}.
 / {d} I went shopping and got my {kin} a {gift}.
 / I was looking for something for my {kin} and ended up with a {gift} {d}.
B: <And, did it go down well|How did that go|Any reaction yet>?
A liked: <Tears|Big smiles|Screams of joy>, honestly. Best present ever, I was told.
 / Not so well, it had to be returned. <Wrong colour|Wrong size>.
 / My {kin} liked the present so much that there were tears at the table.
 / I'm afraid my {kin} didn't like the present at all, it went straight into a drawer.
T: that present for my {kin}
N: I never know what to give people.
 / A {gift} would be a nice present for someone one day.
 / My {kin} says presents are overrated.
Q single bought: What did {A} <buy|get> for {his} {kin}?
 / Which present did {A} <choose|pick> for {his} {kin~}?
Q who bought: Who got a {gift~} from {A}?
 / For whom did {A} buy a {gift~}?
Q when bought: When did {A} <buy|get> the {gift~}?
Q how liked: How was {A}'s present received?
 / Did {A}'s {kin} like the present?
QB comparison bought: What did {A} and {B} give to their relatives?
== furniture thing:furniture colour:colour d:past #bought=bought
A bought: My new {thing} <arrived|was delivered> {d}, it's {colour}!
 / I treated myself to a {colour} {thing} {d}.
 / {d} I dragged a {colour} {thing} up the stairs all by myself.
 / I bought a piece of furniture {d}: a {colour} {thing} from a second-hand shop.
B?: Ha, does it match <the walls|the rest>?
A room: It's in the bedroom for now, but I think it belongs <by|next to> the window.
 / Surprisingly yes, I put it right under the window.
 / I put the {thing} next to the window in the bedroom.
T: the {thing}
N: I want to redo my flat, but not this year.
 / A {colour} {thing} would look silly at my place.
Q single bought: Which piece of furniture did {A} <buy|get>?
 / What did {A} buy for {his} home?
 / What colour is {A}'s {thing~}?
Q where room: Where did {A} put the {thing~}?
Q when bought: When did {A} get {his} {thing~}?
== garden plant:plant other:plant d:past #outdoors=planted #hobby=planted
A planted: I planted {plant} on the balcony {d}.
 / {d} I spent hours in the garden and put in {plant}.
 / My hands are still dirty: {plant} went into the ground {d}.
 / My garden is growing: {d} I planted {plant}, two rows of it.
B?: <Green thumb|Impressive>! <Anything else|Only that>?
A more: And {other}, if the weather holds.
 / {other} too, next to the fence.
 / I grow {other} as well, it needs less water.
--
B: How's the garden?
A died: The snails ate <everything|half of it>. I'm heartbroken.
 / We had frost, so most of it is gone.
 / First harvest yesterday! I gave some to the neighbours.
 / My plants did badly, the garden is all brown and full of snails.
 / The plants did great, we have more vegetables than we can eat!
T: my little garden
W planted: planted {plant}
N: I once killed a cactus.
 / I like looking at {plant}, but not watering them.
Q list planted,more: What <does|did> {A} grow?
 / Which plants did {A} put in?
Q when planted: When did {A} plant {plant}?
Q how died: What became of {A}'s garden?
 / How did {A}'s plants do?
Q implicit died: Would {A} have vegetables to share this week?
== cooking dish:dish who:kin d:past #food=cooked
A cooked: I <made|cooked> {dish} for my {who} {d}.
 / {d} I tried making {dish}, and my {who} came over to taste it.
 / Kitchen adventure: {dish} from scratch {d}, my {who} had two plates. [photo: a plate of {dish}]
 / I cooked a dish that I'd never made before {d}: {dish}. My {who} ate all of it.
 / For dinner I prepared {dish} {d}, because my {who} was visiting and the fridge was full.
B?: Yum! How did it turn out?
A taste: A bit too salty, but nothing was left.
 / Perfect, if I may say so.
 / I burnt the bottom. We ate it anyway.
T: the {dish} I made
N: I'm craving {dish} right now.
 / Somebody should invent {dish} that cooks itself.
 / Is {dish} hard to make?
Q single cooked: What did {A} cook for {his} {who}?
 / Which dish did {A} <serve|prepare for {his} {who~}>?
Q when cooked: When did {A} make {dish~}?
Q who cooked: Who ate the {dish~} that {A} made?
QS list cooked: What dishes has {A} <cooked|made>?
 / Which meals did {A} prepare?
QS count cooked: How many times has {A} mentioned cooking for someone?
== allergy what:allergen dish:dish n:few !allergic
A allergic: Careful, I'm allergic to {what}, remember?
 / I <found out|learned> at the doctor's that {what} <make|makes> me sick. An allergy, apparently.
 / My face swelled up again. It's {what}, I just can't have any.
 / I can't eat {what} at all, I have an allergy. One bite and I have to go to the hospital.
B?: Oh no, since when?
A since: Since I was {n} years old or so.
 / It started {n} years ago.
 / A thing I've had for {n} years.
 / I've had this allergy for {n} years now.
T: my allergy
W allergic: is allergic to {what}
N: Everybody seems to be allergic to something these days.
 / The new place around the corner does great {what}.
Q single allergic: What is {A} allergic to?
 / Which food can't {A} eat?
Q implicit allergic: Would {A} enjoy a dish full of {what~}?
 / What should I avoid when I cook for {A}?
 / Could we take {A} to a place known for its {what~}?
Q how since: How long has {A} had {his} allergy?
QB comparison allergic: What can {A} and {B} not eat?
== kinjob kin:kin job:job city:city !quit #family=job
A job: My {kin} <just started as|works as|got hired as> a {job}.
 / Did I tell you? My {kin} is a {job} now.
 / My {kin} has a new job as a {job} and works day and night.
B?: Oh cool, where?
A where: In {city}, <right by the station|at a tiny place>.
 / Down in {city}.
 / They had to move to {city} for it.
 / The work is in {city}, so we hardly see each other.
--
A quit: My {kin} quit, by the way. <Too much stress|Too many night shifts>.
 / Update on my {kin}: no more job, they gave notice.
 / My {kin} lost the job and is at home again.
T: my {kin}'s job
N: Being a {job} must be tiring.
 / If I could start over, I'd become a {job}.
Q single job: What does {A}'s {kin} do <for a living|>?
 / What is the profession of {A}'s {kin~}?
Q where where: Where does {A}'s {kin} work?
Q who job: Who in {A}'s family is a {job~}?
Q change quit: Does {A}'s {kin} still have the job?
Q two-hop job,where: In which city does {A}'s relative who is a {job~} work?
QB comparison job: What do the relatives of {A} and {B} do?
== gadget thing:gadget n:price d:past #bought=bought
A bought: I bought a {thing} {d}!
 / My old one broke, so {d} I got myself a new {thing}.
 / Finally ordered a {thing} {d}, after comparing prices for weeks.
 / I bought a new device {d}, a {thing}. I love electronics, what can I say?
B?: How much did you pay?
A price: {n}, on sale.
 / Only {n} with the discount.
 / Don't ask. {n}.
 / I paid {n} for it, which was a fair price.
T: my new {thing}
N: My {thing} is so slow, it drives me mad.
 / Does anyone really need a {thing}?
Q when bought: When did {A} buy the {thing~}?
Q how price: How much did {A} pay for the {thing~}?
 / What was the price of {A}'s {thing~}?
QS list bought: Which devices has {A} <bought|got>?
 / What electronics did {A} buy?
QS count bought: How many gadgets has {A} bought?
== childhood what:memory kin:kin city:city #family=did
B?: What's your <favourite|happiest> memory from when you were a kid?
A did: <Definitely|Easy:> {what} with my {kin}.
 / My {kin} and I used to go {what} every summer.
 / I was thinking about {what} with my {kin} when I was small.
 / As a child I used to go {what} with my {kin}. It's my favourite memory.
A where: That was in {city}, at the old house.
 / We lived in {city} back then.
 / I grew up in {city}, where I spent my whole childhood.
T: those summers
N: I have no memories before age six.
 / Kids today never go {what}.
Q single did: What did {A} do with {his} {kin} as a child?
 / Which childhood memory does {A} treasure?
Q where where: Where did {A} <grow up|spend {his} childhood>?
Q who did: With whom did {A} go {what}?
QB comparison where: Who grew up in {where}, {A} or {B}?
== party kin:kin dish:dish n:some d:past e:next #family=plan
A plan: I'm planning a surprise party for my {kin} {e}.
 / {e} we're throwing a party for my {kin}, don't tell anyone!
 / I've organised a party for my {kin}, it's {e}. Don't say a word, it's a surprise!
B?: How many people?
A guests: {n}, if everyone shows up.
 / I invited {n}.
 / I invited {n} guests, and half of them will bring their kids.
B?: And the food?
A food: I'll make {dish}.
 / {dish}, the {kin}'s favourite.
 / To eat there will be {dish} for everyone.
--
B: How was the big night?
A off: We had to call it off, half of the guests were ill.
 / A total success, we danced until four.
 / Power cut! We ended up with candles and cold food.
 / The party went well in the end, although nobody wanted to dance at first.
T: the surprise party
W plan: planned a party for {his} {kin}
N: I'm too old for parties.
 / My neighbours had a party again, no sleep for me.
Q when plan: When is {A}'s party for {his} {kin}?
Q single food: What will there be to eat at {A}'s party?
Q who plan: For whom did {A} plan a <surprise|celebration>?
Q count guests: How many guests did {A} <invite|expect>?
Q how off: How did {A}'s party go?
 / What happened at the party {A} organised?
== flood d:past n:few !leak,fix
A leak: A pipe burst in my bathroom {d}, water everywhere.
 / {d} I came home to a flooded flat.
 / My ceiling came down {d}. The neighbour's washing machine leaked.
 / We had an accident at home {d}: the washing machine flooded the whole kitchen.
B?: Terrible! Is anyone fixing it?
A fix: The plumber needs {n} weeks.
 / They say {n} weeks. I'm sleeping at a friend's.
 / The repairs will take {n} weeks, and it will be loud.
A?: I'm so fed up.
T: the water damage
N: The water in this town tastes funny.
Q what leak: What went wrong in {A}'s home?
 / What kind of accident did {A} have at home?
Q when leak: When was {A}'s flat damaged?
Q how fix: How long will {A}'s repairs take?
== car car:vehicle colour:colour d:past n:few !broke #bought=bought
A bought: I bought a used {car} {d}, {colour} and a bit rusty.
 / So I am the proud owner of a {colour} {car} since {d}.
 / I drive now! {d} I bought a {colour} {car}, my first vehicle ever.
B: Does it <run|drive> well?
A broke: It broke down after {n} days!
 / Like a dream, we did {n} hundred kilometres already.
 / The {car~} runs badly, it stopped on the motorway after {n} days.
 / My {car~} runs very well, I drove it for {n} hours without a problem.
--
A sold: I sold the {car~} again, <the bus is fine|I needed the money>.
 / No more {car~} for me, a student bought it.
 / In the end I sold my {car~}, it was too expensive to own one.
T: my {car~}
W bought: bought a {car~}
N: Traffic was terrible, every {car~} in town was out there.
Q single bought: What vehicle did {A} buy?
 / What does {A} drive?
 / What colour is {A}'s {car~}?
Q when bought: When did {A} buy {his} {car~}?
Q change sold: Does {A} still own the {car~}?
 / What happened to {A}'s {car~} in the end?
Q how broke: How well did {A}'s {car~} run?
"""
