"""English topics of a life: work, learning, health, family, helping others, fears and hopes."""

SCRIPT = """
== newjob job:job company:company old:job why:reason d:next
A job: I got the job! I'm starting at {company} {d}.
 / Big news: {company} hired me, my first day is {d}.
 / They called: I can start at {company} {d}.
 / My new job starts {d}. The company is called {company}, you may know it.
B: <Wow, as what|That's huge! What will you do there|Congrats! Which position>?
A role: As a {job}, same as I studied for.
 / {job}. A dream come true.
 / They need a {job}, so that's me now.
 / My position there is {job}, a profession I've always liked.
B?: And the old place?
A old: I was a {old} there, I won't miss it. {why}, you know.
 / No more life as a {old}, thank goodness.
 / Before this job I worked as a {old} for years. I stopped because {why}.
--
A quit: I handed in my notice at {company}. <I want my evenings back|The boss was impossible>.
 / So, {company} and I are done. I'm <looking around|freelancing> now.
 / I'm no longer with {company}. The job was making me ill, so I left.
T: the job at {company}
W job: got hired by {company}
N: Mondays should be forbidden.
 / Someone from {company} was on the radio.
 / If I were a {job}, I'd complain less.
Q single role: What <position|job> did {A} <get|take> at {company}?
 / What is {A}'s new profession?
Q where job: Which company <hired|employs> {A}?
 / Where does {A} work now?
Q when job: When does {A}'s new job start?
Q change old: What did {A} do before {he} got the new job?
Q change quit: Is {A} still with {company}?
 / What became of {A}'s job?
Q two-hop job,role: What does the friend who was hired by {company} do there?
QB comparison job: Where did {A} and {B} find new jobs?
== exam exam:exam n:few d:next !failed
A plan: My {exam} is {d} and I know nothing.
 / I signed up for the {exam}, it's {d}.
 / {d} is the big day, my {exam}.
 / I'm preparing for an exam, the {exam}. It's {d} already!
B?: You'll be fine! How long have you been studying?
A study: {n} months, every evening.
 / For {n} months now, mostly on the train.
 / I've been studying for {n} months, with cards and everything.
--
B: And? How did it go?
A failed: Failed. By one point.
 / I passed!! I cried in the corridor.
 / I have to take it again, I ran out of time.
 / The result of my exam came: I passed with the second best mark!
 / I didn't succeed in the exam, the result was terrible. I'll try once more.
T: the {exam}
W plan: prepared for the {exam}
N: I still dream of exams, all these years later.
 / My cousin took the {exam} once and never spoke of it again.
Q when plan: When is {A}'s {exam}?
Q single plan: What test is {A} preparing for?
 / Which exam did {A} have to take?
Q how study: How long did {A} study?
Q how failed: What was the result of {A}'s exam?
 / Did {A} succeed in the test?
QB comparison plan: Which exams did {A} and {B} take?
== injury part:injury how:trip n:few d:past !hurt,weeks #health=hurt
A hurt: I hurt my {part} while {how} {d}.
 / {d} I fell while {how}, and my {part} is in a cast.
 / Bad luck: I sprained my {part} {d}. That's what {how} does to me.
 / I got injured {d}. My {part} was hurt when I fell, I was {how} with friends.
B: Ouch! How long <will it take|do you have to rest>?
A weeks: {n} weeks without any sport.
 / The doctor says {n} weeks.
 / {n} weeks, if I behave.
 / I have to rest for {n} weeks and can't lift anything.
--
B?: How's the {part}?
A better: All healed! I went for a run this morning.
 / It still hurts at night, so I'm seeing a therapist twice a week.
 / My {part} is much better now, the doctor is surprised how well it healed.
T: my {part}
 / the accident
W hurt: injured {his} {part}
N: My {part} cracks every time I stand up.
 / I've never broken a bone.
Q single hurt: What did {A} injure?
 / Which part of {A}'s body was hurt?
Q when hurt: When did {A} have {his} accident?
 / When did {A} hurt {his} {part}?
Q how hurt: How did {A} get hurt?
 / What was {A} doing when {he} injured {himself}?
Q how weeks: How long does {A} have to rest?
Q change better: How is {A}'s {part} now?
Q implicit hurt: Why might {A} have skipped the gym lately?
QB comparison hurt: What injuries did {A} and {B} have?
== illness what:illness cure:treatment d:past !ill #health=ill
A ill: I've had {what} since {d}.
 / {d} I came down with {what}.
 / Sorry I was so quiet. It started {d}: {what}.
 / I fell ill {d}. The doctor says it's {what}.
 / I'm suffering from {what} since {d}, I can hardly work.
B: Poor you. <Does anything help|What do you do against it>?
A cure: {cure} <does wonders|works best|helps a little>.
 / Only {cure}, so far.
 / I was sceptical, but {cure} made a difference.
 / What helped me feel better was {cure}.
T: my illness
W ill: was ill with {what}
N: Half of my office is ill.
 / I should get a check-up one of these days.
Q single ill: What illness did {A} have?
 / What was {A} suffering from?
Q when ill: When did {A} fall ill?
Q how cure: What <helped|helps> {A} <feel better|with {what~}>?
 / How does {A} treat {his} {what~}?
QB comparison cure: What helped {A} and {B} to get well?
== wedding kin:kin city:city n:some d:next #family=plan
A plan: My {kin} is getting married {d} in {city}!
 / Guess who has to give a speech? My {kin}'s wedding is {d}, in {city}.
 / There will be a wedding in the family: my {kin} marries in {city} {d}.
B?: Oh how lovely! A big one?
A size: {n} guests, a small circle.
 / Only {n} people.
 / {n} guests are invited to the wedding.
A wear: And I still have nothing to wear.
 / I'm <playing the piano|holding the rings|taking the photos>, apparently.
 / My task at the wedding is to take care of the music.
--
B: How was the wedding?
A went: It rained, but nobody cared. I danced with the grandmother for an hour. [photo: a couple under an umbrella]
 / They postponed it, the <venue burned down|groom has the flu>.
 / The wedding was beautiful, although the weather was awful.
T: the wedding
N: Weddings make me cry.
 / I'd get married on a beach, if ever.
Q who plan: Who in {A}'s family is getting married?
Q when plan: When is the wedding of {A}'s {kin}?
Q where plan: Where <does|will> {A}'s {kin} marry?
Q count size: How many guests will be at the wedding {A} goes to?
Q single wear: What is {A}'s task or trouble for the wedding?
Q change went: How was the wedding that {A} attended?
 / What was the weather at the wedding?
== baby kin:kin name:petname n:few d:past #family=born
A born: We have a new family member! My {kin} had a baby {d}.
 / The baby came {d}! My {kin} is doing fine.
 / A baby was born in my family {d}, my {kin} became a parent!
B: Congratulations to all of you! What's the name?
A name: {name}. <A bit unusual, but cute|Everyone pretends to like it>.
 / They went for {name}.
 / The baby's name is {name}.
A?: {n} kilos and very loud. [photo: a newborn in a striped hat]
T: the baby
N: Babies all look like potatoes.
 / My neighbours' baby screams at night.
Q when born: When was the baby in {A}'s family born?
Q single name: What is the name of the baby of {A}'s {kin}?
Q who born: Which relative of {A} became a parent?
== lang lang:language why:city n:few d:past #learning=start #hobby=start
A start: I started learning {lang} {d}.
 / {d} I had my first {lang} lesson.
 / I'm taking {lang} classes since {d}, my head hurts.
 / I'm learning a language: {d} I began with {lang}, together with a neighbour.
B?: Nice! Why that?
A why: Because I want to spend a summer in {why}.
 / For my trip to {why}.
 / A friend of mine in {why} speaks nothing else.
 / I'm learning it because I want to talk to people in {why}.
B?: Is it hard?
A hard: The grammar is easy, but the pronunciation kills me. {n} lessons and I can order soup.
 / After {n} lessons I can say "where is the station".
 / My lessons are getting on well, I had {n} this month and can read signs now.
T: my {lang} lessons
W start: is learning {lang}
N: I only know one word of {lang}.
 / Everyone should speak {lang}.
Q single start: Which language is {A} learning?
 / What language did {A} take up?
Q why why: Why is {A} learning {lang}?
 / What made {A} take language lessons?
Q when start: When did {A} start {his} {lang} classes?
Q how hard: How is {A} getting on with {his} lessons?
QB comparison start: Which languages are {A} and {B} learning?
== goal goal:goal other:goal n:few #dream=dream
B?: If you could do anything, what would it be?
A dream: I want to {goal} <within {n} years|before I turn fifty|some day soon>.
 / My plan is to {goal}. I even made a list.
 / I've decided to {goal}.
 / My dream is to {goal}, I've had it since school.
B: I can totally see you doing that. What's the first step?
A step: Saving money. I put aside a bit each month.
 / Finding someone who has done it before.
 / Telling my family.
 / The first step towards my dream is to save money.
--
A changed: Forget what I said about my plan. I'd rather {other}.
 / New idea: I'm going to {other} instead.
 / I have a new dream: I want to {other}. The old plan is dead.
T: my big plan
W dream: wants to {goal}
N: Dreams are free, I guess.
 / Some people just {goal} and never talk about it.
Q change dream: What was {A}'s original <goal|dream|plan>?
Q change changed: What does {A} want to do now instead?
 / What is {A}'s latest ambition?
Q how step: What is {A}'s first step towards {his} dream?
QB comparison dream: What do {A} and {B} dream of?
== volunteer cause:cause day:weekday d:past why:kin #helping=start
A start: I began volunteering at {cause} {d}.
 / {d} was my first day as a helper at {cause}.
 / Since {d} I help at {cause}. It's voluntary, and I love it.
B: Good on you! How often do you go?
A often: Every {day}, for a few hours.
 / {day} mornings.
 / I help there on {day}s, from eight to noon.
B?: What made you do it?
A why: My {why} did it for years and took me along.
 / Someone helped my {why} once, so I wanted to give something back.
 / I started volunteering because my {why} inspired me to help others.
T: my volunteering
W start: volunteers at {cause}
N: I'd like to help more, but when?
 / There was a flyer for {cause} at the bakery.
Q where start: Where does {A} volunteer?
 / Which organisation does {A} help?
Q when start: When did {A} start helping at {cause}?
Q single often: On which day does {A} help out?
Q why why: Why did {A} start volunteering?
 / Who inspired {A} to help others?
QB comparison start: Where do {A} and {B} volunteer?
== loss kin:kin what:memory d:past !passed,miss
A passed: My {kin} passed away {d}.
 / I've had hard news. We lost my {kin} {d}.
 / My {kin} died {d}. I still can't believe it.
B: I'm so sorry. Do you want to talk about it?
A miss: I keep thinking of {what} together. That was our thing.
 / We used to love {what}. I found an old photo of us. [photo: two people smiling, faded colours]
 / I remember {what} with my {kin} every time I close my eyes.
A?: Thanks for being there.
T: the funeral
N: I don't like funerals.
 / Time flies when I look at old pictures.
Q who passed: Whom did {A} lose?
 / Who died in {A}'s family?
Q when passed: When did {A}'s {kin} die?
Q single miss: What does {A} remember doing with {his} {kin}?
Q implicit passed: Why might {A} be sad these days?
== calm what:habit other:habit #stress=calm #hobby=calm
B?: How do you deal with all the stress?
A calm: {what} keeps me sane.
 / When everything is too much, it's {what} for me.
 / You won't believe it, but {what} helps me to <switch off|calm down>.
 / To relax I rely on {what}. It takes the stress away.
B?: Does it really work?
A works: After two weeks I slept like a stone.
 / Most days. It gives me half an hour for myself.
 / The effect of my routine is that I'm calmer and sleep through the night.
--
A stopped: I gave up on {what}. These days it's {other}.
 / {what} got boring, I do {other} now.
 / To unwind I now do {other}, {what} didn't help any more.
T: {what}
N: I read that {what} is good for the heart.
 / Stress is just a word.
Q single calm: What <does|did> {A} do to relax?
 / How does {A} cope with stress?
Q how works: What effect did {A}'s routine have?
Q change stopped: What does {A} currently do to unwind?
 / What replaced {A}'s old routine?
QB comparison calm: How do {A} and {B} relax?
== quit vice:vice n:few d:past #health=quit
A quit: I gave up {vice} {d}.
 / No more {vice} for me, since {d}.
 / {d} I decided that I'm done with {vice}.
 / I've given up a bad habit: no {vice} since {d}.
B: That's brave! What was the hardest part?
A hard: The first {n} days. I was so grumpy that my neighbour asked what was wrong.
 / Evenings. I chew gum like a cow, {n} packs already.
 / The hard part about giving it up is the boredom, {n} times a day.
--
B?: Still strong?
A relapse: I slipped last week. Back to zero.
 / Yes! And I saved enough for a new coat.
 / I didn't stick with it, last week I gave in.
 / I'm sticking with it, not one slip so far.
T: giving up {vice}
W quit: gave up {vice}
N: {vice} is everywhere, have you noticed?
 / My doctor talks about {vice} all the time.
Q single quit: What did {A} give up?
 / Which bad habit did {A} drop?
Q when quit: When did {A} stop with {vice}?
Q how hard: What was hard for {A} about giving it up?
Q change relapse: Did {A} stick with it?
QB comparison quit: What have {A} and {B} given up?
== fear fear:fear how:trip n:few #fear=fear
A fear: I'm terrified of {fear}, always have been.
 / Don't laugh, but {fear}... it makes me <freeze|shake>.
 / I have this thing about {fear}. My heart races.
 / I'm afraid of {fear}. Even thinking about it scares me.
B: Where does that come from?
A from: Something that happened when I was {n}. My brother thought it was funny.
 / I got lost on a {how} trip when I was {n}, and since then...
 / I'm afraid because of what happened to me when I was {n}.
B?: Have you tried to do something about it?
A try: I see a therapist on Thursdays.
 / I read a book on it. It didn't help.
 / About my fear: I do exercises with a therapist now.
T: my fear
W fear: is afraid of {fear}
N: Everybody is afraid of something.
 / {fear}? I don't mind at all.
Q single fear: What is {A} afraid of?
 / What scares {A}?
Q why from: Why is {A} afraid?
 / Where does {A}'s phobia come from?
Q how try: What does {A} do about {his} fear?
Q implicit fear: What would be a bad surprise for {A}?
QB comparison fear: What are {A} and {B} scared of?
== award what:hobby n:few d:past
A won: I won <second|first|third> prize in {what} {d}!
 / {d} they gave me a medal for {what}.
 / I won an award! It was for {what}, and I got the prize {d}.
B: You're kidding! How many people took part?
A many: {n} hundred. I was shaking.
 / Around {n} hundred, from all over the country.
 / I had {n} hundred competitors, so I can't complain.
A?: I put it on the shelf next to my keys.
T: the prize
W won: won something in {what}
N: I've never won anything.
 / A medal for {what} would be fun.
Q single won: What did {A} win a prize for?
 / In which field did {A} get an award?
Q when won: When did {A} receive {his} prize?
Q count many: How many competitors did {A} have?
Q implicit won: What is {A} good at?
"""
