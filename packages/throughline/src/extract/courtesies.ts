/**
 * Words with which people say no more than that they have heard, or that it may go on, in the
 * languages whose function words we know.
 */
const listed = [
  'ack agreed alright awesome bye cheers continue cool correct fine good great hello hey hi hmm indeed keep lgtm next nice nope ok okay perfect proceed right sure thank thanks thx understood well wow yeah yep yes',
  'bitte danke genau gerne gut hallo klar nein prima richtig super tschüss weiter weitermachen',
  'bien bonjour continuez accord entendu merci non oui parfait poursuivez salut très voilà',
  'adelante bueno claro continúa gracias hola perfecto sí sigue vale',
  'certo ciao claro continua grazie obrigada obrigado olá perfeito sim va vai bene sì',
  'bedankt dank doorgaan dankjewel ga goed graag hoi ja nee prima verder',
  'давай дальше ладно нет ок понятно привет продолжай спасибо хорошо да',
  '好 好的 谢谢 谢谢你 继续 是 是的 はい ありがとう ありがとうございます 続けて 네 감사합니다 계속',
]

const words: ReadonlySet<string> = new Set(listed.flatMap((line) => line.split(' ')))

export function isCourtesy(word: string): boolean {
  return words.has(word)
}
