"""English topics of people and days: friends, dates, neighbours, appointments, lost things, opinions, roots."""

SCRIPT = """
== visitor city:city sight:landmark dish:dish n:few d:past
A came: My old school friend from {city} came to see me {d}, and we talked until the sun came up.
 / {d} a friend I hadn't met for years visited me all the way from {city}.
 / Guess who stood at my door {d}? My friend from {city}, with two huge suitcases.
B: Oh how nice! What did you two do?
A did: We went to {sight} and ate {dish} out of a paper bag.
 / I showed my friend {sight}, and we got completely lost on the way home.
 / Mostly we sat in the kitchen, but one afternoon we made it to {sight}.
A?: {n} days were over in no time.
B?: Will you visit back?
A next: I'm going there in {n} months, the tickets are already paid for.
 / Yes, I promised to go to {city} for the big birthday in {n} months.
T: the visit of my friend
W came: had a visitor from {city}
N: Guests are like fish, as my grandmother used to say.
 / I've lost touch with most people from school.
Q when came: When did {A}'s friend come to visit?
Q where came: Where does {A}'s visitor come from?
Q single did: What did {A} do with {his} visitor?
 / Which sight did {A} show {his} friend?
Q how next: When will {A} visit {his} friend in return?
QB comparison came: From where did {A} and {B} have visitors?
== lostthing what:thing place:venue kin:kin d:past !lost
A lost: I lost my {what} {d}, probably at the {place}, and I've turned the whole flat upside down since.
 / {d} my {what} disappeared somewhere near the {place}.
 / Has anybody ever found a {what} at the {place}? Mine's gone since {d}.
B: That's annoying. Did you ask there?
A asked: I called three times. They only had a single glove.
 / Yes, and they laughed at me.
--
A found: You won't believe where it turned up: my {kin} had it in a coat pocket the whole time.
 / It was found! My {kin} got a call from a stranger.
T: my lost {what}
W lost: lost {his} {what}
N: I lose everything, even my temper.
 / My {what} once travelled to another city without me.
Q single lost: What did {A} lose?
Q where lost: Where did {A} lose {his} {what}?
Q when lost: When did {A}'s {what} go missing?
Q change found: Was {A}'s {what} ever found?
 / Where did the thing that {A} lost turn up?
Q who found: Who had {A}'s lost {what} or heard about it?
QB comparison lost: What did {A} and {B} lose?
== dating who:job place:venue d:past e:next n:few
A met: I met someone! A {who}, very funny, we talked for {n} hours at the {place} {d}.
 / So there's this {who} I met {d} at the {place}. I can't stop smiling.
 / {d} I had a date with a {who}. We sat at the {place} until they closed.
B: Tell me more! Will you see each other again?
A next: We're going to cook together {e}.
 / {e}, for a walk with both our umbrellas.
--
B: And, what about your date?
A over: It's over. We want different things, and that's okay.
 / We're a couple now! I even met the parents.
T: that date
W met: went on a date with a {who}
N: Love is complicated.
 / The {place} is full of couples at the weekend.
Q single met: What does the person {A} went out with do for a living?
Q where met: Where did {A} have {his} date?
Q when met: When did {A} meet someone new?
Q when next: When will {A} see {his} date again?
Q change over: How did things go on between {A} and {his} date?
 / Is {A} in a relationship now?
== appointment who:doctor day:weekday other:weekday d:next n:some
A plan: I have an appointment at the {who} {d}, at {n} past ten. I've put it off for a year.
 / My appointment at the {who} is {d}. Wish me luck.
B?: Don't be nervous. What's it about?
A about: Only a routine check, but I hate the smell there.
 / I've had this pain when I laugh.
--
A moved: They moved my appointment at the {who} to {other}.
 / The {who} is ill, so my appointment is on {other} now.
T: my appointment at the {who}
N: Waiting rooms have the worst magazines.
 / I should see a {who} some day.
Q when plan: When was {A}'s appointment at the {who} originally?
Q change moved: To which day was {A}'s appointment moved?
 / When does {A} have to see the {who} now?
Q why about: Why does {A} have to go to the {who}?
Q single plan: What kind of doctor or office does {A} have an appointment with?
== neighbour what:style n:few kin:kin night:weekday !loud
A loud: My neighbour plays {what} every {night} until {n} in the morning, and the walls are thin.
 / I haven't slept since my new neighbour moved in. {what}, every {night}!
B: Have you talked to them?
A talk: I wrote a polite note, and it came back with corrections.
 / I brought a cake, and we had a good talk. I got a key for emergencies.
--
A peace: The neighbour apologised and gave me earplugs with a bow on them.
 / I had to call the police because of the neighbour.
T: my noisy neighbour
N: Good neighbours are worth gold.
 / I can hear everyone's alarm clock in this building.
Q single loud: What does {A}'s neighbour do that is annoying?
 / Which music keeps {A} awake?
Q when loud: On which day is {A}'s neighbour loud?
Q how talk: How did {A} try to solve the trouble with the neighbour?
Q change peace: How did the trouble with {A}'s neighbour end?
== series film:film genre:genre kin:kin n:few
A watch: I'm watching a {genre} series with my {kin}, we're in season {n} already.
 / My {kin} got me into this {genre} show, and I've seen {n} seasons of it.
B?: Is it any good?
A like: The first episodes are slow, but then it gets wild. I love the detective with the bad knee.
 / It's silly, but it makes me laugh after a long day.
A?: It reminds me of "{film}".
T: that series
N: I have no time for series.
 / Why does every series get worse in the end?
Q single watch: What kind of series does {A} watch?
Q who watch: With whom does {A} watch a series?
Q how like: What does {A} think of the series?
QB comparison watch: Which kinds of series do {A} and {B} watch?
== roots country:country city:city kin:kin n:few #family=from
B?: Where is your family from, actually?
A from: My {kin} came here from {country} with {n} children and a sewing machine.
 / We're from {country} on one side. My {kin} still has the accent.
 / My roots are in {country}, where my {kin} had a little shop.
B: I didn't know that! Do you still have people there?
A still: Some cousins in {city}, we write each other at New Year.
 / Only a house in {city} that nobody lives in.
A have: This old ring is from there. It stands for love and patience, and I wear it every day.
 / I have a wooden box from there. It reminds me of where I come from.
T: my family's past
W from: has roots in {country}
N: Family trees make me dizzy.
 / I'd love to know where my name comes from.
Q where from: Where does {A}'s family come from?
 / In which country are {A}'s roots?
Q who from: Who in {A}'s family came from {country}?
Q where still: In which city does {A} have relatives or a family house?
Q single have: What does {A} own that reminds {him} of {his} roots?
Q implicit from: Which language might {A}'s relatives speak?
QB comparison from: From which countries do the families of {A} and {B} come?
== opinion what:gadget vice:vice job:job
A think: Honestly, I think children should not have a {what} before they are twelve.
 / I've been thinking: nobody needs a {what} on holiday.
B: <I don't agree|Hm, I see it differently>. <It depends on the child|It can be useful>.
 / You're right. I wish I'd grown up without one.
A why: My nephew doesn't look up from his any more, not even for cake.
 / I read a long article about sleep, and it scared me.
T: that discussion
N: Everyone has an opinion these days.
 / My {what} broke again, by the way.
Q single think: What is {A}'s opinion about the {what}?
Q why why: Why is {A} against it?
== collecting what:collect kin:kin n:some d:past #hobby=have
A have: My collection grew {d}: I found {what} at the flea market.
 / {d} I added {what} to my collection.
 / Look what I got {d}: {what}! [photo: {what} on a shelf]
B?: How many things do you have by now?
A many: {n}, and my {kin} says it's enough.
 / I stopped counting at {n}.
T: my collection
N: I throw everything away, I can't stand dust.
 / Flea markets are full of treasures.
Q when have: When did {A} get {what} for {his} collection?
Q count many: How many pieces did {A} have when {he} got {what}?
QS list have: What does {A} collect?
 / Which pieces has {A} added to {his} collection?
QS count have: How many things did {A} add to {his} collection?
"""
