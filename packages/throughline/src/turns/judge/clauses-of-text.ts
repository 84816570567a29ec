/** A text by its clauses, in small letters: each can tell a deed, or leave one open. */
export function clausesOf(text: string): readonly string[] {
  return smallLetters(text).split(
    /[;,.:!?、，；：。！？]|\s(?:and|then|und|dann|et|puis|y|luego|e|poi|en|и|затем)\s/,
  )
}

export function smallLetters(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}
