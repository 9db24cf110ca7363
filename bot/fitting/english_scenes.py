"""English scenes, as a comedy would have them."""

SCRIPT = """
== lost thing:thing spot:spot
A: Has anyone seen my {thing}?
 / Okay, who took my {thing}?
B: When did you last have <it|them>?
A?: If I knew that, I wouldn't ask!
C found: I saw your {thing} {spot}.
 / Your {thing}? {spot}. I nearly stepped on it.
 / I found the {thing} {spot}, {A}. You left it there when you were looking for the remote.
A: <Why didn't you say so|You're a lifesaver>!
B why: That's because {C} was cleaning the whole place at three in the morning.
 / You left it when you were chasing that pigeon, {A}.
 / {C} was looking for a spider and moved everything, that's why it's lost.
Q where found: Where <is|was> {A}'s {thing~}?
 / Where did {C} see the {thing~}?
Q who found: Who <knew|saw> where {A}'s {thing~} was?
 / Who found the {thing~}?
Q what found: What was {A} looking for?
 / What did {A} lose?
Q why why: Why did {A}'s {thing~} get lost?
 / How come the {thing~} was not in its place?
== ate dish:dish kin:kin
A what: Where is my {dish}? I was saving <it|that> for tonight!
 / Someone ate my {dish}!
B: <Don't look at me|What's it to me>.
C eaten: Okay, it was me. I was hungry!
 / All right, all right, I had it for breakfast.
 / I ate the {dish}, {A}. I ate all of it, and I'd do it again.
A: You ate my {dish}?
C why: {B} told me nobody wanted it.
 / I had a really bad date, I needed it.
 / It was going to go bad anyway.
 / I ate it because {B} told me to. And because I was hungry.
A from: My {kin} made that for me!
 / That was from my {kin}.
 / My {kin} made that {dish} for me!
Q who eaten: Who ate {A}'s {dish~}?
 / By whom was the {dish~} eaten?
Q why why: Why did {C} eat the {dish~}?
 / For what reason did {C} take {A}'s food?
Q what what: What is {A} missing from the kitchen?
 / What food was {A} looking forward to?
Q who from: Who made the {dish~} for {A}?
 / Where did {A}'s {dish~} come from?
== secret job:job city:city
A: Can you keep a secret?
 / I have to tell you something, but you can't tell anyone.
B: <Of course|No, but go on>.
A offer: I got a job offer in {city}.
 / They want me to be a {job} in {city}.
 / I have a secret: they offered me a job in {city}, as a {job}.
B: What? When do you leave?
A when: In two weeks.
 / Right after the holidays.
 / On the first of the month.
 / I'm leaving in two weeks, early in the morning.
C: Who's leaving?
B told: {A} got a job in {city}!
 / Nobody! Okay, {A} is moving to {city}.
 / {A} told me a secret: {A} will be working in {city}! Oh no.
A: {B}! That lasted four seconds.
Q where offer,told: Where did {A} get a job <offer|>?
 / In which city will {A} be working?
Q when when: When is {A} leaving?
 / At what time will {A} be moving away?
Q who told: Who told {C} about {A}'s news?
 / Who couldn't keep {A}'s secret?
Q what offer: What is {A}'s secret?
 / What does {A} confide to {B}?
== blinddate d:weekday job:job spot:venue
A setup: I set you up with somebody from my office. {d}, eight o'clock.
 / {B}, you have a date on {d}. A {job}. You can thank me later.
 / I arranged a date for you, {B}. {d}, with a {job} from my office.
B: No. Absolutely not.
A: Come on, {B}!
C?: I'd go.
B why: The last one you found talked about his mother for three hours.
 / Last time the guy brought his ferret!
 / I don't want to go! The last man I met on a date talked about his mother for three hours.
A where: You'll meet at the {spot}.
 / I booked something, the {spot}, very romantic.
 / The date is at the {spot}. Be there and meet him like an adult.
B?: Fine. One hour.
Q who setup: Who arranged a date for {B}?
 / By whom was {B} set up?
Q when setup: When is {B}'s date?
 / On which day should {B} meet someone?
Q why why: Why doesn't {B} want to go on the date?
 / What was wrong with the last man {B} met?
Q where where: Where will the date take place?
 / Where is {B} supposed to meet the date?
== stuck thing:thing spot:venue
A stuck: Um, guys? I'm stuck. My hand is in the vending machine at the {spot}.
 / Don't laugh. My head is stuck in the railing at the {spot}.
 / I'm in trouble, I got stuck in a machine at the {spot}.
B: How did you do that?
A why: I dropped my {thing} in there!
 / I saw my {thing} and reached for it.
 / I reached in because my {thing} was in there!
C: <I'll call|Should I call> the fire brigade?
B how: Just use butter. It worked for my uncle.
 / Soap! Everybody knows you use soap.
 / I'd use butter to get you free. It's a good method.
A: Hurry!
Q where stuck: Where is {A} stuck?
 / Where did {A} get into trouble?
Q why why: Why did {A} reach in?
 / What made {A} get stuck?
Q how how: How does {B} want to free {A}?
 / What method does {B} suggest?
Q who how: Who wants to use something slippery?
Q what stuck: What happened to {A}?
 / What is {A}'s problem?
== lies job:job
A claim: I told them that I'm a {job}.
 / At the party I sort of said I was a {job}.
 / I told a lie. I pretended to be a {job}.
B: Why would you do that?
A why: Because {C}'s friend was so beautiful, I panicked!
 / They all had such good jobs. I felt small.
 / I lied because all of them had such good jobs, and {C}'s friend was listening.
C: And now?
A now: Now I have to give a talk on Monday.
 / Now they want me to come and work for them.
 / As a result I have to give a talk to real ones.
B advice: Just tell the truth for once.
 / Fake a fever. That's what I do.
 / My advice: get out of it. Say that you have a fever.
Q what claim: What did {A} pretend to be?
 / What lie did {A} tell?
Q why why: Why did {A} lie?
 / What made {A} say something untrue?
Q what now: What does {A} have to do as a result of the lie?
 / What came of what {A} had said?
Q how advice: What does {B} <advise|suggest>?
 / How should {A} get out of it according to {B}?
"""
