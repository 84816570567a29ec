/**
 * Words and phrases by which the gate recognises what a draft is, as lists or as sources of
 * patterns in small letters.
 */
const verbs =
  '(?:help|assist|comply|summari[sz]e|provide|fulfil|continue|do (?:that|this|so)|create|generate|produce|write|process|discuss|engage|complete|answer|respond|share|support|carry out|participate|access|view|see)'
const sorry =
  "(?:(?:i(?:'m| am)(?: (?:very|so|really|deeply))?|we(?:'re| are)) sorry|sorry|my apologies|apologies|i (?:must )?apologi[sz]e|unfortunately|regrettably|i regret)"
const cannot =
  "i(?:'m| am)? (?:(?:really |just )?(?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|must decline|have to decline|decline|do not feel comfortable|don't feel comfortable)|(?:un|not )able to|not comfortable|not allowed to|not permitted to)"

/** A text that opens like this is a refusal. */
export const refusalOpenings: readonly string[] = [
  `${sorry}[,.!;: –—-]{0,3}(?: ?but| ?however)?,? ?(?:${cannot}|(?:that|this) (?:request|content|is something)|no summary)`,
  `${cannot} (?:\\w+ ){0,2}?${verbs}(?![a-z])`,
  `i (?:must|have to) (?:decline|refuse)|i (?:refuse|decline) to`,
  `(?:as|being) an? (?:ai|artificial intelligence|(?:large )?language model)`,
  `(?:this|that|the) (?:request|content|conversation|transcript) (?:violates|goes against|is against)`,
  '(?:es )?tut mir (?:sehr )?leid[,.! ]|leider kann ich|ich kann (?:dir|ihnen|dabei|das|diese|dieses|diesen|keine)\\b.{0,60}\\b(?:nicht|keine|helfen|zusammenfassung)|ich bin nicht in der lage',
  "(?:je suis )?(?:vraiment )?désolée?[,.! ]|je ne (?:peux|suis) pas (?:en mesure|vous aider|aider|résumer|répondre|fournir|t'aider)|malheureusement,? je",
  'lo siento[,.! ]|no puedo (?:ayudar|resumir|proporcionar|responder|cumplir|asistir)|lamentablemente,? no puedo',
  'desculpe[,.! ]|sinto muito[,.! ]|não posso (?:ajudar|resumir|fornecer|responder)|infelizmente,? não',
  'mi dispiace[,.! ]|non posso (?:aiutar|riassumere|fornire|rispondere)|purtroppo non',
  'het spijt me[,.! ]|sorry, ik kan|ik kan (?:je|u|hier|dit|daar).{0,40}(?:niet|helpen)|helaas kan ik',
  'извините|простите|к сожалению,? я не|я не могу (?:помочь|обобщить|выполнить|предоставить|ответить)',
  'przepraszam[,.! ]|przykro mi[,.! ]|nie mogę (?:pomóc|podsumować)|üzgünüm|maaf[, ]',
]

/** The same in scripts without spaces or without small letters. */
export const refusalOpeningsUnspaced =
  '(?:(?:很|非常)?(?:抱歉|对不起|對不起)|我(?:无法|無法|不能)(?:帮助|协助|提供|总结|回答|满足|處理|幫助)|作为(?:一个|一名)?(?:ai|人工智能)|申し訳(?:あり|ござい)|すみませんが|ごめんなさい|お手伝いできません|要約できません|죄송합니다|죄송하지만|도와드릴 수 없|요약할 수 없|आई एम सॉरी|मुझे खेद|क्षमा करें|عذرا|آسف|أعتذر|لا أستطيع|لا يمكنني)'

/** A short text that says this anywhere is a refusal. */
export const cannotSummarize = `(?:^|[.!?] )(?:${sorry},? )?(?:but )?${cannot} (?:\\w+ ){0,2}?(?:help|assist|comply|summari[sz]e|provide (?:a|the|this|that) summary|fulfil|generate a summary|create a summary)|there is (?:nothing|no (?:conversation|content|text)) to summari[sz]e|(?:please )?(?:provide|share|paste) (?:me )?(?:the|a|your) (?:conversation|transcript|text|messages)`

/** A short text that opens like this is the message of a server that failed. */
export const errorOpenings: readonly string[] = [
  '(?:(?:api|http|network|server|stream|request|fetch|upstream|provider|model|internal|unexpected|unhandled|fatal|uncaught|timeout|rate limit|invalid request|authentication|permission|connection|openai|anthropic|gemini|azure|bedrock)[ _]){0,3}[\\w.]{0,40}(?:error|exception|fehler|erreur)(?: \\w{1,20}){0,4} ?[:([{]',
  '(?:error|failed|unable|could not|failure|fehler beim|erreur lors)(?:[: ]| to )+(?:generat|creat|produc|mak|call|fetch|connect|communicat|summar|while|during|occurred|in|processing)',
  'traceback \\(most recent call last\\)',
  '(?:http(?:/\\d(?:\\.\\d)?)?|status(?: code)?|error(?: code)?)[: ]{1,2}[45]\\d\\d(?!\\d)',
  '[45]\\d\\d(?:[ :,.-]+(?:error|bad|too|internal|service|gateway|unauthori[sz]ed|forbidden|not found|request|payload|overloaded|the|\\{|rate)|$)',
  "(?:rate.?limit(?:ed)?|too many requests|internal server error|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|request timed? ?out|the (?:server|model|engine|service) (?:had an error|is (?:currently )?overloaded|is (?:temporarily )?unavailable|encountered)|overloaded(?:_error)?(?:$|[:. ])|upstream (?:connect|request|error)|fetch failed|socket hang up|connection (?:refused|reset|error|closed|timed out)|econn\\w+|etimedout|enotfound|context_length_exceeded|insufficient_quota|invalid_api_key|you (?:have )?exceeded your current quota|you have been rate limited|(?:this model's )?maximum context length|incorrect api key|no endpoints found|an (?:internal |unexpected |unknown )?error (?:has )?occurred|something went wrong|your (?:credit balance|request was|input exceeds)|prompt is too long|terminated$|operation was aborted|the operation was aborted|response (?:timed out|was blocked)|content (?:filter|blocked))",
]

/** A placeholder that the model has not filled in. */
export const gapInForm =
  '[[<({]{1,3}\\s{0,3}(?:please |the |a )?(?:insert|add|write|put|place|enter|fill|type|provide|your|placeholder|summary|conversation|content|text|todo|tbd)(?![\\p{L}\\p{N}])[^\\])}>\\n]{0,80}[\\])}>]{1,3}'

/** Words that a form contains instead of content. */
export const emptyAnswer =
  '(?:none|n\\/?a|nil|null|nothing|unknown|empty|tbd|todo|not (?:applicable|specified|provided|available|mentioned)|no (?:summary|content|messages|context|conversation|information|data)(?: (?:available|provided|given|yet|found))?|keine?|nichts|aucune?|rien|ninguno|nada|nessuno|无|なし|없음|\\.{3}|…|-)'

/** Words that need a following word, so no complete text ends with them. */
export const danglingWords =
  'and|or|but|the|an|of|to|for|with|by|from|that|which|is|are|was|were|und|oder|aber|der|die|das|den|dem|ein|eine|mit|von|zu|für|et|ou|mais|le|la|les|un|une|de|du|des|avec|pour|pero|el|los|las|con|para|que|com|и|или|но|в|на|с|для'

/** Names of tags that models put around their thoughts. */
export const thinkingTags =
  'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|antthinking'

/** How models begin to think aloud about the task. */
export const thinkingOpening =
  "(?:(?:okay|ok|alright|hmm+|wait|well|right|so|first|let's see|also|now)[,.!… ]+(?:so,? |let's see[,.]? |let me |the user )?|let me (?:think|start|analy[sz]e|see|consider)|i (?:need|have|should|want|am asked|'m asked) |we (?:need|have|should|are asked) |the user (?:wants|asks|is asking|asked) (?:me|us) ).{0,200}(?:summari[sz]|zusammenfass|résum|resum)"

/** Small words of languages, English first. Of three letters and more: shorter ones are names of variables too. */
export const languages: readonly (readonly string[])[] = [
  'the and was that for with are this not have from but they has were will'.split(' '),
  'und der die das nicht ist ein eine mit auf für von wurde den dem auch'.split(' '),
  'les des est une dans pour que pas avec sur qui sont été cette mais aux'.split(' '),
  'que los las por para una del como pero más este con fue está sus'.split(' '),
  'che per una non con sono della nel alla gli più anche del stato'.split(' '),
  'que não uma para com dos foi mas como mais seu sua pelo está são'.split(' '),
  'het een van niet met voor zijn dat die aan ook worden heeft naar'.split(' '),
  'что это для как его при или уже был была были было она они'.split(' '),
]

/** Words for the zeros of round numbers. */
export const wordsForThousands: readonly string[] =
  'thousand million billion grand tausend million millionen mille mil mila tysięcy тысяч'.split(' ')

/** Limits such as "no more than", which are not negations. */
export const limitPhrases =
  /\b(?:no|not) (?:more|less|later|fewer|earlier|longer|only)(?: than)?\b/g
export const negations: ReadonlySet<string> = new Set(
  'not never without don dont cannot must always only nicht nie niemals kein keine jamais pas nunca não never'.split(
    ' ',
  ),
)
export const negationPattern =
  /\b(?:not|never|no|none|without|cannot|nicht|nie|niemals|keine?[nrms]?|jamais|pas|ne|nunca|não|mai|non|niet|geen)\b|n't\b|(?:^|\s)(?:не|никогда|нельзя)(?:\s|$)|不|勿|没|ない|않|마세요/

/** Words that occur in proposals of all kinds and so prove nothing. */
export const proposalWords: ReadonlySet<string> = new Set(
  'would should could shall suggest propose recommend that this with from into have will like want also then them they been when what which your'.split(
    ' ',
  ),
)

export const scripts = {
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Greek: /\p{Script=Greek}/gu,
  Han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Thai: /\p{Script=Thai}/gu,
} as const
