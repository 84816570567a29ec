/**
 * Whether a draft is a model's refusal. A summary tells of refusals too, in the third person
 * or somewhere inside; only one that opens with the model's own "I cannot" is one, or a few
 * sentences of which one says that no summary can be made.
 */
const longest = 1_200

export function isRefusal(text: string): boolean {
  const plain = opening(text)
  if (begins.test(plain) || beginsUnspaced.test(plain)) return true
  return text.length <= longest && sentences(plain).length <= 4 && cannotSummarize.test(plain)
}

/** In small letters, one apostrophe, without the marks of Markdown. */
function opening(text: string): string {
  return text
    .slice(0, longest)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[\s#*_>`-]+/, '')
}

function sentences(text: string): readonly string[] {
  return text.split(/[.!?。！？]+(?:\s|$)/).filter((part) => part.trim() !== '')
}

const deeds =
  '(?:help|assist|comply|summari[sz]e|provide|fulfil|continue|do (?:that|this|so)|create|generate|produce|write|process|discuss|engage|complete|answer|respond|share|support|carry out|participate|access|view|see)'
const sorry =
  "(?:(?:i(?:'m| am)(?: (?:very|so|really|deeply))?|we(?:'re| are)) sorry|sorry|my apologies|apologies|i (?:must )?apologi[sz]e|unfortunately|regrettably|i regret)"
const cannot =
  "i(?:'m| am)? (?:(?:really |just )?(?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|must decline|have to decline|decline|do not feel comfortable|don't feel comfortable)|(?:un|not )able to|not comfortable|not allowed to|not permitted to)"

const begins = new RegExp(
  [
    `${sorry}[,.!;: –—-]{0,3}(?: ?but| ?however)?,? ?(?:${cannot}|(?:that|this) (?:request|content|is something)|no summary)`,
    `${cannot} (?:\\w+ ){0,2}?${deeds}(?![a-z])`,
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
    .map((source) => `^(?:${source})`)
    .join('|'),
)
const beginsUnspaced =
  /^(?:(?:很|非常)?(?:抱歉|对不起|對不起)|我(?:无法|無法|不能)(?:帮助|协助|提供|总结|回答|满足|處理|幫助)|作为(?:一个|一名)?(?:ai|人工智能)|申し訳(?:あり|ござい)|すみませんが|ごめんなさい|お手伝いできません|要約できません|죄송합니다|죄송하지만|도와드릴 수 없|요약할 수 없|आई एम सॉरी|मुझे खेद|क्षमा करें|عذرا|آسف|أعتذر|لا أستطيع|لا يمكنني)/
const cannotSummarize = new RegExp(
  `(?:^|[.!?] )(?:${sorry},? )?(?:but )?${cannot} (?:\\w+ ){0,2}?(?:help|assist|comply|summari[sz]e|provide (?:a|the|this|that) summary|fulfil|generate a summary|create a summary)|there is (?:nothing|no (?:conversation|content|text)) to summari[sz]e|(?:please )?(?:provide|share|paste) (?:me )?(?:the|a|your) (?:conversation|transcript|text|messages)`,
)
