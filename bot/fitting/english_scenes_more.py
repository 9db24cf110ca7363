"""More English scenes."""

SCRIPT = """
== roommate reason:vice n:few place:city
A leave: I'm moving out.
 / I've decided to get my own place.
B: What? Is it because of <the dishes|the singing|the cat>?
A why: It's because you eat my cereal and lie about it.
 / You used my toothbrush, {B}. Twice!
 / I want to move out because you eat my food, {B}.
C take: Can I have the big room?
 / I call the big room!
B: {C}! Too soon!
A where: I found a studio in {place}.
 / There's a nice little flat in {place}.
 / I found a new home, a small flat in {place}.
B deal: Stay and I'll do the laundry for {n} months.
 / If you stay, I'll wash everything for {n} months.
 / My offer: you stay, and I do the laundry for {n} months.
A?: Make it twice that.
Q why why: Why does {A} want to move out?
 / What did {B} do that made {A} leave?
Q who take: Who wants the big room?
 / Who asks for {A}'s room?
Q where where: Where did {A} find a new home?
Q what deal: What does {B} offer so that {A} stays?
 / What will {B} do for {n} months?
Q what leave: What has {A} decided?
== haircut colour:colour kin:kin e:weekday
A: Don't say anything.
 / Nobody laugh.
B look: Oh my god, your hair is {colour}!
 / It's... {colour}. Your hair is {colour}.
 / What a colour! Your hair is {colour}, {A}!
A: I said don't say anything!
C who: Who did this to you?
 / Did you pay for that?
A did: My {kin} did it. For free.
 / I let my {kin} do it, okay?
 / My {kin} dyed my hair in the kitchen.
A why: I have an audition on {e} and they wanted someone wild.
 / There's a reunion on {e} and I wanted to look different.
 / I changed my hair because there's an audition on {e}.
B fix: Wear a hat. I have one with ears.
 / I know a guy who can shave it all off.
 / There's one solution for your hair: a hat.
Q what look: What colour is {A}'s hair?
 / What is different about {A}?
Q who did: Who cut or dyed {A}'s hair?
 / By whom was {A}'s hair done?
Q why why: Why did {A} change {his} hair?
Q when why: When does {A} have to look {his} best?
Q how fix: How would {B} solve the hair problem?
 / What solution does {B} offer?
== dinner dish:dish kin:kin n:few day:weekday
A coming: My {kin} is coming for dinner on {day}. I need help.
 / On {day} my {kin} will be here, and I can't cook!
 / I'm cooking dinner for my {kin} on {day}, the most important guest of my life.
B: What are you making?
A dish: {dish}. It has to be {dish}.
 / I promised {dish}.
 / I promised to cook {dish}, that's the meal my guest expects.
C burnt: Last time you made that, the fire alarm went off for {n} hours.
 / You can't even boil water, {A}.
 / I doubt it. The last time you were cooking, the fire alarm went off for {n} hours.
B idea: Order it and hide the boxes.
 / Buy it, put it in your own pan. Nobody will know.
 / Here's a trick: buy the dinner and put it in your own pot.
A: <That's genius|That's cheating>.
Q who coming: Who is coming to {A}'s for dinner?
 / Whom is {A} cooking for?
Q when coming: When is {A}'s dinner?
 / On what day does {A} expect a guest?
Q what dish: What does {A} want to serve?
 / Which meal did {A} promise?
Q how idea: How does {B} suggest solving {A}'s problem?
 / What trick does {B} come up with?
Q why burnt: Why does {C} doubt {A}'s cooking?
== bet n:few thing:trip vice:vice
A bet: I bet you can't go {n} days without {vice}.
 / You? {n} days without {vice}? Never.
 / Let's bet: {B} can't hold out without {vice} for {n} days.
B: Watch me.
C stake: And the loser?
 / What does the winner get?
A prize: The loser wears a chicken suit to work.
 / Loser cleans the bathroom for a year.
 / Whoever loses must wear a chicken suit. That's what happens to the loser.
B?: Easy money.
D lost: {B} is in the stairwell right now, and it's over. I saw everything.
 / I caught {B} this morning behind the plant. It's over.
 / {B} lost the bet! I caught {B} in the stairwell.
B: I was weak!
Q what bet: What do {A} and {B} bet on?
 / What should {B} do without?
Q who lost: Who caught {B} breaking the bet?
 / Who saw {B} lose the bet?
Q where lost: Where was {B} caught?
 / Where did {B} lose the bet?
Q what prize: What happens to the loser of the bet?
 / What must the loser do?
Q how bet: How long should {B} hold out?
== pigeon animal:animal room:spot
A there: There is {animal} in our flat!
 / Nobody move. {animal}. It's right there.
 / We have a visitor. {animal} got into the apartment!
B where: Where? Oh. {room}.
 / I see it! It's {room}!
 / I see the animal! It's {room}.
C in: I may have left the window open.
 / I thought it was the delivery man, so I opened the door.
 / It got in because I opened the window. It's my fault.
A: Of course it was you, {C}.
D catch: Give me a blanket and stand back.
 / I grew up on a farm. Hand me that box.
 / I want to catch it with a blanket.
B?: It's looking at me.
A gone: It's gone! It took the bread.
 / It flew into the mirror and left. Just like my ex.
 / In the end the animal took our bread and was gone.
Q what there: What got into the apartment?
 / What kind of visitor do they have?
Q where where: Where is the animal?
 / Where does {B} see it?
Q why in: Why could it get in?
 / How did the animal get inside?
Q who in: Whose fault is it that an animal got in?
Q how catch: How does {D} want to catch it?
Q what gone: What did the animal do in the end?
== audition role:job place:venue day:weekday
A got: I got the part!
 / They picked me! Out of two hundred people!
 / I got a role in a play!
B: <Which part|What's the role>?
A role: I play a {role} who talks to plants.
 / A {role}. I have three lines and then I die.
 / My role? I play a {role}. It's a small part.
C when: When can we see it?
 / When is the show?
A day: {day} night, at the {place}.
 / It opens on {day} at the {place}.
 / You can watch me on {day} night, I perform at the {place}.
B busy: I can't come, I have a dentist appointment.
 / Oh no, that night I'm washing my hair.
 / I can't come to the show because of the dentist.
A?: {B}, it's at night!
Q what role: What role does {A} play?
 / Which part did {A} get?
Q when day: When is {A}'s performance?
 / On which night can they watch {A}?
Q where day: Where will {A} perform?
Q why busy: Why can't {B} come to the show?
 / What excuse does {B} have?
Q who got: Who got a role?
== wedding_dress kin:kin thing:thing spot:spot n:few
A: I can't do it. I can't get married.
 / What if it's a mistake?
B?: Breathe.
A why: I don't love him. I love his dog.
 / I saw the cake and thought: I like the cake more.
 / I don't want to get married! I have doubts, I love his dog more than him.
C where: Where are you going? The guests are waiting!
 / {A}, get down from that window!
A hide: I'm staying right here, in the coat room.
 / I'll live in the coat room from now on.
 / I'm hiding in the coat room.
D told: I told them there's a gas leak. You have {n} minutes.
 / I told everybody the priest fainted. That gives us {n} minutes.
 / I lied to the guests, I told them about a gas leak. You have {n} minutes of time.
Q why why: Why doesn't {A} want to get married?
 / What makes {A} doubt the wedding?
Q where hide: Where is {A} hiding?
Q who told: Who <lied to|distracted> the guests?
Q what told: What did {D} tell the guests?
Q how told: How much time does {A} have?
== money n:price kin:kin thing:gadget
A need: Can I borrow {n}?
 / I need {n}, and please don't ask why.
 / I want to borrow money. {n}.
B ask: Why?
 / What for?
A why: I sat on my {kin}'s {thing}.
 / I broke the {thing} that belongs to my {kin}.
 / I need the money because I broke my {kin}'s {thing}.
C: How do you sit on a {thing}?
B no: I don't have it. I spent everything on shoes.
 / I'm broke, {A}. I bought a boat.
 / I can't lend you any money, I spent mine on shoes.
C lend: I'll lend it to you, but you walk my dog until spring.
 / Take mine. But you'll call me boss.
 / I'll help you out, I'll lend you the money. But you walk my dog.
Q what need: How much money does {A} need?
 / What does {A} want to borrow?
Q why why: Why does {A} need money?
 / What did {A} break?
Q who lend: Who lends {A} the money?
 / Who agrees to help {A} out?
Q why no: Why can't {B} lend {A} money?
 / What did {B} spend {his} money on?
== hospital part:injury how:trip place:venue
A: What happened? We came as fast as we could.
 / Are you okay? The nurse won't tell us anything.
B hurt: It's just my {part}.
 / They say my {part} is broken.
 / I injured my {part}, it's the only body part that hurts.
A?: How?
B how: I tried to impress somebody at the {place}.
 / I slipped at the {place}, on a banana. A real one!
 / I had an accident at the {place}, I got hurt when I wanted to impress somebody.
C seen: I saw it. It was beautiful.
 / I have it on video!
 / I saw the accident, I even filmed it!
B stay: They're keeping me until tomorrow.
 / I can go home at six.
 / I can leave the hospital tomorrow.
A: I'll stay with you.
Q what hurt: What is wrong with {B}?
 / Which body part did {B} injure?
Q how how: How did {B} get hurt?
Q where how: Where did {B}'s accident happen?
Q who seen: Who <saw|filmed> {B}'s accident?
Q when stay: When can {B} leave the hospital?
== present gift:gift kin:kin
A open: Open mine first!
 / This one's from me. Go on!
B is: Oh. A {gift}. Another {gift}.
 / It's a {gift}! Exactly like the one from last year.
 / The present is a {gift}. I got a {gift} last year, too.
A: You don't like it.
B: I love it!
C knows: You gave the last one to the neighbour, {B}.
 / {B} sold the old one, by the way.
 / You sold last year's present, {B}!
A: You did what?
B why: I needed the space!
 / I already have four of them!
 / I got rid of it because I have no space for another gift!
D swap: I'll swap it for my candle.
 / Give it to me, I have nothing to wear to work.
 / I'd like to have that present, I'd even swap my candle for it.
Q what is: What does {A} give to {B}?
 / What present did {B} get?
Q who knows: Who reveals what {B} did with the old present?
 / Who betrays {B}?
Q why why: Why did {B} get rid of the earlier gift?
Q who swap: Who would like to have {B}'s present?
Q what knows: What did {B} do with last year's present?
== elevator n:few food:dish spot:venue
A stop: It stopped. Why did it stop?
 / Did the elevator just stop?
 / The elevator broke down! It stopped!
B: Don't panic.
C panic: I'm panicking!
 / There's not enough air!
 / I'm in a panic, I hate this elevator!
B press: I pressed the button. Somebody said {n} hours.
 / The man on the speaker says {n} hours.
 / We have to wait {n} hours, we're trapped.
A late: I have an interview at the {spot}!
 / My date is waiting at the {spot}!
 / I'm in a hurry, I should be at the {spot} for an interview!
C food: I have some {food} in my bag.
 / Good thing I brought {food}.
 / I have something to eat in my bag: {food}.
Q what stop: What happened to the elevator?
 / What broke down?
Q how press: How long do they have to wait?
 / For how many hours will they be trapped?
Q where late: Where should {A} be?
Q why late: Why is {A} in a hurry?
Q what food: What does {C} have to eat?
 / What is in {C}'s bag?
Q who panic: Who panics in the elevator?
== exboyfriend place:venue job:job kin:kin
A saw: Guess who I ran into at the {place}. My ex.
 / My ex was at the {place}. With flowers!
 / I met my ex at the {place}, with flowers!
B: Which one?
A one: The {job}. With the long fingers.
 / You know, the {job} who cried at commercials.
 / The ex who does that living as a {job}.
C: I liked that one!
A said: He's getting married. To my {kin}!
 / He wants to be friends. With my {kin}!
 / My ex said he's getting married. To my {kin}!
B what: And what did you say?
 / What did you do?
A did: I said congratulations and walked into a glass door.
 / I hid behind a cake for twenty minutes.
 / I reacted badly: I ran into a glass door when I met him.
Q who saw: Whom did {A} meet at the {place}?
 / Who had flowers or showed up at the {place}?
Q where saw: Where did {A} run into {his} ex?
Q what said: What did {A}'s ex say?
Q how did: How did {A} react when {he} saw {his} ex?
 / What did {A} do after meeting {his} ex?
Q what one: What does {A}'s ex do for a living?
== costume kin:kin animal:animal place:venue
A what: What are you supposed to be?
 / Is that a costume?
B is: I'm a sad cloud. It's art.
 / I'm the letter Q. Obviously.
 / My costume? I'm dressed as a cloud.
C same: I came as {animal}, and so did everybody else.
 / There are four people dressed like me. I'm {animal}.
 / I'm dressed as {animal}, and it's not the only one here.
A mine: I'm dressed as my {kin}. See the glasses?
 / Mine's easy, I'm my {kin}.
B prize: The winner gets a free dinner at the {place}.
 / First prize is a ham.
 / If you win, you get a dinner at the {place}.
C won: And they gave it to {A}! For "most tired".
 / {A} won! I demand a recount!
 / {A} won the contest! How can {A} win with that costume?
Q what is: What is {B} dressed as?
 / What is {B}'s costume?
Q what same: What is {C} dressed as?
Q who won: Who won the costume contest?
 / To whom did the prize go?
Q what prize: What do you get if you win?
Q how won: How does {C} feel about the winner, or why did {A} win?
== newbaby name:petname kin:kin n:few
A news: I'm going to be a parent.
 / We're having a baby!
 / I have news to announce: there will be a baby!
B: <Oh my god|What>! Congratulations!
C when: When is it due?
 / When's the big day?
A due: In {n} months.
 / The doctor said {n} months.
 / The baby will be born in {n} months.
B name: Please don't call it {name}.
 / If it's a boy, you should name him {name}.
 / The name {name} is the worst one for a baby.
A named: We're naming it after my {kin}.
 / My {kin} gets to choose.
 / The baby will be named after my {kin}.
D cry: I'm not crying, there's onion in the air.
 / Somebody hold me, I'm so happy.
 / This news makes me emotional, I have to cry.
Q what news: What is {A}'s news?
 / What does {A} announce?
Q when due: When will {A}'s baby be born?
Q who named: After whom will {A}'s baby be named, or who picks the name?
Q who cry: Who gets emotional about {A}'s news?
Q what name: Which name does {B} bring up?
"""
