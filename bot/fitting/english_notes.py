"""What people tell an assistant to remember, in English, and how they ask for it."""

SCRIPT = """
== person.name v:#name
say: {whose}'s name is {v}.
 / By the way, {whose} is called {v}.
 / Save this: {whose} goes by the name of {v}.
ask: What is {whose}'s name?
 / What is {whose} called?
that: is called {v}
which: Who is {v}?
== person.age v:#age
say: {whose} is {v} years old <|this year|now>.
 / {whose} turned {v} <|last week|recently>, can you believe it?
 / Just so you know, {whose} is {v}.
ask: How old is {whose}?
 / What age is {whose}?
that: is {v} years old
which: Who <is|turned> {v}?
more: Who is older, {whose} or {other}?
 / Between {whose} and {other}, who was born first?
less: Who is younger, {whose} or {other}?
== person.birthday v:#birthday
say: {whose}'s birthday is on {v}.
 / Remind me that {whose} was born on {v}.
 / {v} is {whose}'s birthday.
ask: When is {whose}'s birthday?
 / On which day should I congratulate {whose}?
 / When was {whose} born?
that: has a birthday on {v}
which: Whose birthday is on {v}?
== person.job v:job
say: {whose} works as a {v}.
 / {whose} has been a {v} for <many|a few|ten> years.
 / Did I mention that {whose} is a {v}?
now: {whose} changed careers and is a {v} now.
 / {whose} has a new job as a {v}.
ask: What does {whose} do <for a living|for work>?
 / What is {whose}'s <job|profession|occupation>?
 / How does {whose} earn money?
that: works as a {v}
which: Who <works as|is> a {v}?
all: Which of the people I know <work as|are> a {v}?
 / How many people around me are in the same profession as a {v}?
== person.company v:company
say: {whose} works at {v}.
 / {whose} is employed by {v}, <the big one downtown|has been for years|as far as I know>.
 / The company {whose} works for is {v}.
now: {whose} switched employers and is at {v} now.
ask: <Where|Which company> does {whose} work <for|at>?
 / Who employs {whose}?
 / What is {whose}'s workplace?
that: works at {v}
which: Who works at {v}?
all: Who of my people are employed at {v}?
 / How many people I know work at {v}?
== person.hobby v:hobby
say: {whose} loves {v}.
 / In {whose}'s free time it's all about {v}.
 / {whose}'s hobby is {v}.
 / {whose} spends every weekend on {v}.
ask: What is {whose}'s hobby?
 / What does {whose} like to do for fun?
 / How does {whose} spend <weekends|free time>?
that: is into {v}
which: Whose hobby is {v}?
 / Who enjoys {v}?
all: Who among my relatives and friends likes {v}?
== person.phone v:#phone
say: {whose}'s phone number is {v}.
 / You can reach {whose} at {v}.
 / Note down {whose}'s number: {v}.
now: {whose} has a new phone number: {v}.
ask: What is {whose}'s <phone|telephone|mobile> number?
 / How can I call {whose}?
 / Which number do I dial to reach {whose}?
which: Whose number is {v}?
== person.mail v:#mail
say: {whose}'s email address is {v}.
 / If I need to write to {whose}, it's {v}.
ask: What is {whose}'s email?
 / Where do I send mail for {whose}?
== person.degree v:degree
say: {whose} has a {v}.
 / {whose} finished with a {v}.
 / As for education, {whose} holds a {v}.
ask: What is {whose}'s <education|level of education|highest degree>?
 / How far did {whose} get in school?
that: has a {v}
all: Which of the people I know have a {v}?
 / How many people I told you about hold a {v}?
more: Who has the higher degree, {whose} or {other}?
== person.school v:school
say: {whose} <studied at|graduated from|went to> {v}.
 / {v} is where {whose} studied.
ask: Where did {whose} study?
 / Which <university|school> did {whose} go to?
that: graduated from {v}
all: Who went to {v}?
== person.height v:#height
say: {whose} is {v} tall.
 / {whose}'s height is {v}.
 / We measured {whose}: {v}.
ask: How tall is {whose}?
 / What is {whose}'s height?
that: is {v} tall
which: Who is {v} tall?
more: Who is taller, {whose} or {other}?
less: Who is shorter, {whose} or {other}?
== person.hometown v:wherefrom
say: {whose} <comes from|grew up in|is from> {v}.
 / {whose}'s home town is {v}.
ask: Where <is|does> {whose} <from|come from>?
 / What is {whose}'s home town?
 / Where did {whose} grow up?
that: comes from {v}
all: Which of the people I know are from {v}?
 / Who shares {v} as a home town?
== person.lives v:city
say: {whose} lives in {v} <|these days>.
 / {whose}'s flat is in {v}.
now: {whose} moved to {v}.
 / {whose} has just settled in {v}.
ask: Where does {whose} live?
 / Which city is {whose} living in?
that: lives in {v}
which: Who lives in {v}?
== person.character v:trait
say: {whose} is really {v}.
 / Everyone says {whose} is {v}.
ask: What kind of person is {whose}?
 / How would I describe {whose}?
all: Who did I call {v}?
== person.drink v:drink
say: {whose} only drinks {v}.
 / {whose} can't start the day without {v}.
ask: What does {whose} like to drink?
 / What should I offer {whose} when we have guests?
which: Who likes {v}?
== person.size v:clothing
say: {whose} wears size {v}.
 / For presents: {whose}'s shirt size is {v}.
ask: What size does {whose} wear?
all: Who wears {v}?
== event.place v:city
say: The {who} takes place in {v}.
 / The venue of the {who} is in {v}.
 / They're holding the {who} in {v}.
ask: Where is {whose} held?
 / In which city is {whose}?
that: takes place in {v}
which: Which event is in {v}?
== event.time v:#when
say: The {who} is on {v}.
 / The {who} starts {v}.
 / Put it in my calendar: {who}, {v}.
now: The {who} was moved to {v}.
ask: When is {whose}?
 / What date and time is {whose}?
which: What is happening on {v}?
== event.length v:#length
say: The {who} lasts {v}.
 / They planned {v} for the {who}.
ask: How long does {whose} last?
 / What is the duration of {whose}?
that: lasts {v}
more: Which is longer, {whose} or {other}?
== event.people v:#people
say: About {v} people will attend the {who}.
 / The {who} is expected to draw {v} visitors.
ask: How many people <come to|attend> {whose}?
 / What is the size of {whose}?
that: expects {v} people
more: Which event is bigger, {whose} or {other}?
== event.purpose v:purpose
say: The {who} is <about|meant for> {v}.
 / The point of the {who} is {v}.
ask: What is {whose} for?
 / Why is {whose} held?
which: Which event is about {v}?
== item.price v:#price
say: I paid {v} for my {who}.
 / My {who} cost {v}.
ask: How much <was|did I pay for> {whose}?
 / What was the price of {whose}?
which: What did I pay {v} for?
more: What was more expensive, {whose} or {other}?
== item.colour v:colour
say: My {who} is {v}.
 / I got my {who} in {v}.
ask: What colour is {whose}?
all: Which of my things are {v}?
== item.place v:spot
say: I put my {who} {v}.
 / My {who} is {v}, so I don't forget.
now: I moved my {who}, it's {v} now.
ask: Where is {whose}?
 / Where did I leave {whose}?
which: What did I put {v}?
== item.bought v:#birthday
say: I bought my {who} on {v}.
 / My {who} has been with me since {v}.
ask: When did I buy {whose}?
 / Since when do I own {whose}?
"""

ASIDES = (
    "I should call {whose} more often.",
    "{whose} told the funniest joke today.",
    "Dinner with {whose} was <nice|long|loud> as always.",
    "I had a small argument with {whose}, but we're fine.",
    "Do you think {whose} would like a surprise?",
    "I saw {whose} on the bus and waved.",
    "{whose}'s work sounds exhausting.",
    "Everyone in our family has <an odd hobby|a strong opinion about phones|a different idea of a good job>.",
    "It rained all day, so I stayed in and read.",
    "I need to buy milk.",
    "I slept badly again.",
    "What a day. I'm glad it's over.",
    "I wonder how tall I'd be if I stood up straight.",
    "Age is just a number, as {whose} likes to say.",
    "I couldn't find anybody's number when I needed it.",
    "{whose} asked about the weather in the city.",
    "I've been thinking about going back to university.",
)
ASIDES_OF_VALUES = (
    "Somebody on the radio talked about {v} today.",
    "I keep reading the words {v} everywhere.",
    "If I could choose again, it would be {v}.",
    "Is {v} common, do you think?",
    "{whose} once asked me what I think of {v}.",
    "I had a strange dream about {v}.",
    "A stranger on the bus told me about {v} for an hour.",
)
TRAILING = (
    "I always mix it up with somebody else's.",
    "We talked about it at dinner.",
    "Please keep that in mind for me.",
    "I only found out today.",
    "It came up on the phone this morning.",
    "I'd be lost without these notes.",
    "That might be useful one day.",
    "Funny, I would have guessed something else entirely.",
)
ANSWERS = ("Noted.", "Got it, I'll remember that.", "Okay, saved.", "Thanks for telling me!", "Understood.")
