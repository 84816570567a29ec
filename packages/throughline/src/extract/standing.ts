/**
 * Whether a statement stands on its own, as rules and facts of a life do: short, of
 * something it names itself, in force and no opinion. "Tabs, not spaces" and "my train is
 * at nine" do; "it works now" and "I think that was better" do not.
 */
const mostCharacters = 120

/** For a sentence in small letters. */
export function isStanding(sentence: string): boolean {
  return (
    sentence.length <= mostCharacters &&
    !sentence.endsWith(':') &&
    !pointing.test(sentence) &&
    !unsure.test(sentence) &&
    !past.test(sentence)
  )
}

/** It begins with what only the sentences around it tell. */
const pointing =
  /^[¿¡"“(]?(?:it|it's|its|this|that|that's|these|those|they|there|then|here|so|because|and|but|or|he|she|which|still|also|now|maybe|perhaps|well|es|das|dies|diese|dann|dort|hier|und|aber|oder|weil|sie|er|ça|cela|ce|c'est|ils|elles|il|elle|et|mais|donc|alors|eso|esto|esta|este|ellos|entonces|pero|porque|y|isso|isto|então|mas|e|questo|quello|allora|ma|dit|dat|het|dan|maar|en|это|этот|они|оно|потом|но|и)(?![a-z0-9_\u00df-\u024f\u0400-\u04ff])|^(?:这|那|它|他们|然后|但是|所以|これ|それ|あれ|그것|이것|그래서)/

const unsure =
  /(?<![a-z])(?:i (?:think|guess|suppose|believe|wonder|feel|see|saw|found|noticed|mean|know)|i (?:don't|do not|can't|cannot) (?:know|understand|see|remember|tell)|i'm (?:not sure|wondering|thinking|looking|trying)|i am (?:not sure|wondering|thinking|looking|trying)|seems?|sounds?|looks? like|maybe|perhaps|probably|might|ich (?:denke|glaube|finde)|vielleicht|je (?:pense|crois)|peut-être|creo|quizás|tal vez|acho|talvez|penso|forse|denk ik|misschien|думаю|может быть|наверное)(?![a-z])|我觉得|也许|可能|と思う|かもしれ|생각/

const past =
  /(?<![a-z])(?:was|were|had|did|didn't|wasn't|weren't|went|got|came|tried|failed|happened|worked|changed|fixed|broke|looked|said|told|asked|war|waren|hatte|hatten|wurde|était|étaient|avait|era|estaba|había|foi|aveva|had|был|была|были|было)(?![a-z])/
