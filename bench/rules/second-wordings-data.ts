/**
 * A second set of wordings that nothing was adjusted to. Written by a rule before any result was seen:
 * each way of stating a rule (an order, a request, a fact about oneself, an impersonal rule, a
 * condition, a fragment) occurs bare, with an aside, with politeness, and with its reason before or
 * after it; one in ten is in another language.
 */
import type { Wordings } from './wordings-data.ts'

export const secondHeldOutChat: Wordings = {
  rules: [
    // Orders
    'Round the distances to whole kilometres.',
    'Oh, and spell out abbreviations, I never remember them.',
    'Treat me like a beginner, if you please.',
    'Since my watch shows minutes, give the pace in minutes.',
    'Mark rest days clearly.',
    'Warn me about hills before I run into them.',
    // Requests
    'Could you mention the weather risk with each plan?',
    'Would it be possible to leave Thursdays out?',
    'Can we keep the long runs on Saturdays, as my sister joins me then?',
    'May I ask for shorter answers during the week?',
    'Would you kindly put warm-ups at the top?',
    'Do you think you could write without exclamation marks?',
    // Facts about oneself
    'I have asthma.',
    'My left ankle is weak, the doctor told me to tape it.',
    "I'm a slow eater and a fast walker.",
    'I work nights every other week.',
    'My trainer wants a report on Sundays.',
    'I cannot digest onions, sadly.',
    'The stroller comes with us, we have twins.',
    "I've got only one pair of running shoes.",
    // Impersonal rules
    'Intervals are off the menu until the cast comes off.',
    'Caffeine after noon is a bad idea for me.',
    'The treadmill belongs to my neighbour, evenings only.',
    'Breakfast has to come before the run.',
    'Gels count as food in this plan.',
    'The scale stays in the cupboard.',
    'Twenty euros a month is what the gym may cost.',
    // Conditions
    'If it rains, I swim instead.',
    'When you list meals, put the protein first.',
    'Unless I say otherwise, assume that I am tired.',
    'As soon as I mention pain, stop the plan.',
    'Should a date fall on a holiday, move it to the day after.',
    // Fragments
    'Metric units, thanks.',
    'Ideally nothing before seven.',
    'Two litres of water a day, that is my limit because of my kidneys.',
    'Fish on Fridays, as always in our house.',
    'Plain words, no coaching slang.',
    'At the most four sessions per week.',
    'Headphones off near traffic.',
    // Other languages
    'Bitte keine Milchprodukte vor dem Training.',
    "Je m'entraîne toujours avec mon chien, donc pas de tapis roulant.",
    'Los domingos descanso, sin excepciones.',
    'Preferisco correre nel bosco.',
    'Mijn knie doet pijn bij trappen, dus liever vlakke routes.',
  ],
  decisions: [
    "I'm signing up for the half marathon.",
    'Alright, the spring race then.',
    'The blue shoes, final answer.',
    'We settled on three runs a week.',
    'Let it be the river route.',
    'I chose the vegetarian plan.',
    "Okay, we'll start on the fourth of May.",
    'Decided: strength work on Mondays.',
  ],
  refusals: [
    'No ice baths for me.',
    "I'd rather not share my weight.",
    'Skip the supplements, I am not taking any.',
    'No way, no double sessions.',
    'A running club is not for me, thanks.',
    'Please do not make me count calories.',
  ],
  replaced: [
    ['Rest on Mondays.', 'Mondays are no rest days any more, rest on Wednesdays.'],
    ['Keep my heart rate below 150.', 'My heart rate may go up to 160 now instead of 150.'],
    ['Plan for the race in Ghent.', 'Forget the race in Ghent, plan for Bruges.'],
    ['I take the bus to the track.', 'I no longer take the bus to the track, I cycle.'],
  ],
}
