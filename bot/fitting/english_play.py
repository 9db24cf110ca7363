"""English topics of spare time: books, films, music, trips, sports, food and nature."""

SCRIPT = """
== pottery thing:craft kin:kin place:venue d:past #hobby=class #learning=class
A class: I finally tried a pottery class {d}.
 / My first pottery class was {d}, at the {place}.
 / {d} I went to that pottery workshop I kept talking about.
 / I took a class where you work with clay {d}: pottery! It was at the {place}.
B: <How was it|How was the class|And, any good>?
A made: <Exhausting|Messy|Harder than it looks>, but I made a {thing} for my {kin}.
 / So relaxing! A {thing} came out of it, for my {kin}. [photo: a small {thing} with blue glaze]
 / I broke two, and the third became a {thing} that my {kin} will get.
 / At the workshop I made a {thing} out of clay for my {kin}.
--
A cancelled: They cancelled the class, the teacher moved away.
 / The {thing} cracked in the oven. All that work!
 / My pottery is over, there won't be another class.
T: that pottery class
W class: took up pottery
N: I could never do pottery, I have two left hands.
 / There's a pottery shop near my place, always closed.
 / What's the difference between pottery and ceramics, anyway?
Q when class: When did {A} take {his} pottery class?
 / When did {A} first work with clay?
Q single made: What did {A} make <in class|out of clay|at the workshop>?
Q who made: For whom did {A} make a {thing}?
Q change cancelled: What came of {A}'s pottery in the end?
QB comparison made: What did {A} and {B} make in their pottery classes?
== book book:book genre:genre kin:kin d:past #hobby=read
A read: I finished "{book}" {d}.
 / I couldn't put "{book}" down, I was through {d}.
 / {d} I read the last page of "{book}" and just sat there.
 / I've been reading a lot, {d} I finished the book "{book}".
 / Another book finished {d}: "{book}". I read it in two nights.
B?: Is it good?
A about: A {genre} book, <slow at first|full of surprises>. My {kin} gave it to me.
 / If you like {genre}, yes. My {kin} recommended it.
 / My {kin} hated it, I loved it. It's {genre}, after all.
 / It's a {genre} book that my {kin} told me about.
T: that book
N: I have forty unread books at home.
 / I only read on trains.
 / "{book}" is in every shop window now.
Q when read: When did {A} finish "{book}"?
Q single about: What kind of book is "{book}", according to {A}?
Q who about: Who <told {A} about|gave {A}> "{book}"?
QS list read: Which books has {A} read?
 / What has {A} been reading?
QS count read: How many books did {A} finish?
== film film:film who:kin place:venue d:past
A saw: I watched "{film}" with my {who} {d}.
 / {d} my {who} dragged me to "{film}".
 / We saw "{film}" {d}, my {who} and I.
 / I saw a movie {d}, "{film}", together with my {who}.
 / My {who} and I watched the film "{film}" {d}, we got the last two seats.
B: Worth it?
A liked: I cried three times.
 / My {who} fell asleep, I loved the music.
 / Overrated. The ending makes no sense.
 / I think the film was great, the best I've seen this year.
T: that film
N: Cinema tickets are so expensive now.
 / I never finish films these days.
 / Is "{film}" still running somewhere?
Q when saw: When did {A} see "{film}"?
Q who saw: With whom did {A} watch "{film}"?
Q how liked: What did {A} think of the film {he} saw with {his} {who}?
QS list saw: Which films has {A} watched?
 / What movies did {A} see?
== concert artist:artist city:city kin:kin d:past
A went: I saw {artist} live in {city} {d}!
 / {d} I was at the {artist} concert in {city}.
 / My ears are still ringing from {artist}, {d} in {city}.
 / I went to a concert {d}: the band {artist} played in {city}, a great show.
B: So cool! Who did you go with?
A with: My {kin} came along. [photo: a stage in purple light]
 / With my {kin}, who knew every word.
 / Just me. My {kin} cancelled at the last minute.
 / I went with my {kin}, who paid for the tickets.
T: the concert
N: I prefer music at home, with slippers.
 / {artist} is on the radio every hour.
Q when went: When did {A} see {artist}?
Q where went: Where did {A} go to hear {artist}?
Q who with: Who was supposed to go with {A} to see {artist}?
QS list went: Which concerts did {A} go to?
 / Which bands has {A} seen live?
QS count went: How many shows has {A} been to?
== travel country:country sight:landmark kin:kin n:few d:past #trip=went
A went: I got back from {country} {d}.
 / {country} was unreal! We flew home {d}.
 / Still jet-lagged: I spent {n} days in {country} and returned {d}.
 / My trip abroad is over, I visited {country} and returned {d}.
 / I've visited another country: {country}! We came back {d}.
B: What did you like most?
A sight: Definitely {sight}. [photo: {sight} at sunset]
 / My {kin} and I couldn't leave {sight}.
 / I'd go back just for {sight}.
 / What I liked best on the trip was {sight}.
B?: And the food?
A food: I ate soup every day and regret nothing.
 / Spicy! I lost my voice.
T: the trip to {country}
W went: travelled to {country}
N: I've always wanted to see {country}.
 / Flights to {country} cost a fortune in summer.
 / Holidays are more tiring than work.
Q when went: When did {A} return from {country}?
 / When was {A} in {country}?
Q single sight: What was the highlight of {A}'s trip to {country}?
 / What did {A} like best in {country}?
QS list went: Which countries has {A} visited?
 / Where has {A} been abroad?
QS count went: How many foreign countries did {A} visit?
== outdoors what:trip animal:animal kin:kin d:past #outdoors=went
A went: We went {what} {d}, my {kin} and I.
 / {d} I took my {kin} {what}.
 / Fresh air at last! {what} with my {kin} {d}.
 / We spent the day outdoors, in nature: my {kin} and I went {what} {d}.
B: Did you see any animals?
A saw: {animal}! It looked right at me.
 / Just {animal}, very early in the morning. [photo: {animal} in the mist]
 / My {kin} spotted {animal}, I only saw a tail.
 / The animal I saw was {animal}, I've never come so close to one.
T: our day outside
N: I'm more of an indoor person.
 / {what} in this weather? No way.
 / Nature documentaries are enough for me.
Q who went: With whom did {A} go {what}?
Q when went: When did {A} go {what}?
Q single saw: What animal did {A} <see|come across> when {he} went {what}?
QS list went: What outdoor activities has {A} done?
QS list saw: Which animals has {A} seen?
QS count went: How many times did {A} go out into nature?
== match sport:sport n:few city:city d:past #hobby=played
A played: I played my first {sport} tournament {d}.
 / {d} our {sport} team had its big match.
 / My sport is {sport}, and I played an important game {d}.
B: Did you win?
A result: We lost by {n} points, but it was close.
 / Yes! With {n} points more than the others.
 / It was cancelled after {n} minutes because of a storm.
 / The game ended badly, we lost the match by {n} points.
B?: What's next?
A next: The next one is in {city}.
 / We've got to travel to {city} for the finals.
 / The next competition is in {city}.
T: the {sport} match
W played: plays {sport}
N: {sport} on TV puts me to sleep.
 / I was always picked last in {sport}.
Q single played: What sport does {A} play?
Q when played: When was {A}'s {sport} game?
Q how result: How did {A}'s {sport} game end?
 / What was the outcome of {A}'s match?
Q where next: Where is {A}'s next competition?
QB comparison played: Which sports do {A} and {B} do?
== instrument what:instrument kin:kin day:weekday n:few #hobby=plays #learning=plays
A plays: I've started {what} lessons again.
 / I dusted off my {what}, after {n} years.
 / The {what} is back in my life!
 / I play the {what} again, I practise every day after work.
B?: Who's teaching you?
A teacher: My {kin}, every {day}. Very strict.
 / Someone my {kin} knows, on {day}s.
 / My {kin} teaches me, we have music lessons on {day}s.
--
A stage: I'm going to play in front of people. My stomach!
 / First little concert yesterday, I only made two mistakes.
 / I performed in public for the first time, on a small stage.
T: my {what} lessons
W plays: plays the {what}
N: Someone in my building plays the {what}, badly.
 / Silence is my favourite instrument.
Q single plays: Which instrument does {A} play?
 / What is {A} practising?
Q when teacher: On which day does {A} have music lessons?
Q who teacher: Who teaches {A} or found {him} a teacher?
Q change stage: Has {A} performed in public?
QB comparison plays: Which instruments do {A} and {B} play?
== restaurant food:cuisine dish:dish place:venue kin:kin d:past
A ate: I tried the new {food} place by the {place} {d}.
 / {d} my {kin} took me to a {food} restaurant near the {place}.
 / I ate out {d} and tried a {food} restaurant, it's next to the {place}.
B: How was the food?
A had: The {dish} was heavenly.
 / Too pricey, but I'd return for the {dish}.
 / I ordered {dish} and got something else.
 / I ordered {dish} at the restaurant, a dish I'd never had before.
T: that {food} restaurant
W ate: tried a {food} restaurant
N: I'm in the mood for {food} food.
 / There's nothing open near the {place} on Sundays.
Q single had: What did {A} <eat|order> at the {food} restaurant?
 / Which dish did {A} like at the {food} place?
Q where ate: Where is the {food} restaurant that {A} tried?
Q when ate: When did {A} eat out?
QB comparison ate: What kinds of restaurants did {A} and {B} try?
== drinks drink:drink other:drink n:few
A likes: I could live on {drink}.
 / {drink}, that's all I need in the morning.
 / You know me, {n} cups of {drink} and I'm a new person.
 / My favourite drink in the morning is {drink}.
B?: I can't stand that. What about {other}?
A hates: {other}? No, it makes me ill.
 / Never liked it. Tastes like rain.
 / I don't think much of {other}, I don't like to drink that.
--
A switched: I'm off {drink}, doctor's orders. It's {other} now.
 / Can you believe it, I drink {other} these days.
 / These days I only drink {other}. {drink} kept me awake.
T: my thing with {drink}
N: Somebody spilled {drink} on my laptop.
 / {drink} costs more than lunch now.
Q single likes: What is {A}'s favourite drink?
 / What does {A} like to drink in the morning?
Q single hates: What does {A} think of {other}?
Q change likes: What did {A} use to drink?
Q change switched: What does {A} drink these days?
Q implicit likes: What should I offer {A} in the morning?
QB comparison likes: What are {A}'s and {B}'s favourite drinks?
== music style:style other:style kin:kin
A likes: I've been listening to {style} all week.
 / Nothing beats {style}, if you ask me.
 / My neighbours must hate me: {style}, all day long.
 / The music I like most is {style}. I'm into that style since school.
B?: Since when?
A since: My {kin} used to play it in the car.
 / Since my {kin} gave me an old tape.
 / I came to like it because of my {kin}, who plays it all day.
B: I'm more into {other}.
 / Can't do {style}. {other} is what I like.
T: my music
N: Is {style} even music?
 / The bar downstairs plays {style} every Friday.
Q single likes: What music does {A} like?
 / Which style of music is {A} into?
Q why since: How did {A} come to like {style}?
 / Who got {A} into {his} kind of music?
Q implicit likes: Which concert would {A} enjoy?
== running n:few city:city km:some d:next #hobby=train
A train: I signed up for the race in {city} {d}.
 / {d} I'm running in {city}! {km} kilometres.
 / There's a race in {city} {d}, and I signed up! It's {km} kilometres.
B: You? Running? How do you train?
A how: {n} times a week along the river, before breakfast.
 / With a plan from the internet, {n} runs a week.
 / I train {n} times a week, I go running along the river.
--
B?: How was the race?
A result: I finished! Last, but I finished.
 / I had to stop at the halfway point, cramps.
 / I did well in the race, I was faster than last time.
T: the race
W train: signed up for a race
N: I run only for the bus.
 / There was a race in town, all the streets were closed.
Q when train: When is {A}'s race?
Q where train: Where is the race {A} signed up for?
Q how how: How does {A} train?
 / How often does {A} go running?
Q how result: How did {A} do in the race?
QB comparison train: Where are {A} and {B} going to run?
== paint colour:colour sight:landmark kin:kin place:venue d:past #hobby=painted
A painted: I painted {sight} {d}, mostly in {colour}. [photo: a canvas in {colour}]
 / {d} I finished my painting of {sight}.
 / I made a picture {d}: I painted {sight} in {colour}.
B: It's beautiful! What are you going to do with it?
A for: It'll hang in the {place}.
 / My {kin} wants it for the hallway.
 / The painting will hang in the {place}.
--
A sold: Someone bought my picture!
 / The picture of {sight} got damaged, coffee all over it.
 / My painting was sold, someone paid good money for it!
T: my painting
W painted: painted {sight}
N: I can't even draw a circle.
 / Art museums make my feet hurt.
Q single painted: What did {A} paint?
 / What is shown in {A}'s picture?
Q when painted: When did {A} paint {sight}?
Q where for: Where will {A}'s painting <hang|end up>?
Q change sold: What happened to {A}'s painting?
QB comparison painted: What did {A} and {B} paint?
== games n:few night:weekday who:kin what:sport #hobby=plays
A plays: We have a board game night every {night} now.
 / {night}s are for board games at my place.
 / I play board games with friends every {night}.
B?: Who usually wins?
A wins: My {who}. Always. I suspect cheating.
 / My {who} won {n} times in a row.
 / My {who} wins at every game night.
B?: What do you play?
A what: The one with the trains.
 / Some old card game my grandmother taught us.
 / The game we play is an old one with cards.
T: game night
N: I don't have the patience for rules.
 / I threw a dice off the balcony once.
Q when plays: On which day does {A} play board games?
Q who wins: Who wins at {A}'s game nights?
Q single what: Which game does {A} play?
Q implicit plays: When should I not call {A}?
"""
