/** Numbers as they are compared: without the marks that set groups of digits apart, words as digits. */

export function numbersIn(text: string): readonly string[] {
  return Array.from(text.normalize('NFKC').matchAll(digits), ([found]) =>
    found.replaceAll(/[.,'’](?=\p{Nd}{3}(?!\p{Nd}))/gu, '').replaceAll(',', '.'),
  )
}

const digits = /\p{Nd}+(?:[.,'’:/-]\p{Nd}+)*/gu

/** Numbers that are said in a word, each with the word. */
export function numberWordsIn(
  text: string,
): readonly { readonly word: string; readonly number: string }[] {
  return Array.from(text.toLowerCase().matchAll(words), ([word]) => ({
    word,
    number: values.get(word) ?? word,
  }))
}

/** Two and more: "one" is said of many things. Words that mean something else elsewhere are left out. */
const table: Readonly<Record<string, string>> = {
  2: 'two zwei deux dos dois duas twee два две 两 兩',
  3: 'three drei trois tres tre três drie три 三',
  4: 'four vier quatre cuatro quattro quatro четыре 四',
  5: 'five fünf cinq cinco cinque vijf пять 五',
  6: 'six sechs seis zes шесть 六',
  7: 'seven sieben siete sette sete zeven семь 七',
  8: 'eight acht huit ocho otto oito восемь 八',
  9: 'nine neun neuf nueve nove negen девять 九',
  10: 'ten zehn dix diez dieci dez tien десять 十',
  11: 'eleven elf onze undici одиннадцать',
  12: 'twelve zwölf douze doce dodici doze twaalf двенадцать',
}

const values: ReadonlyMap<string, string> = new Map(
  Object.entries(table).flatMap(([number, said]) =>
    said.split(' ').map((word) => [word, number] as const),
  ),
)

/** Signs count only before what is counted: many words begin with one. */
const words = new RegExp(
  [
    `(?<!\\p{L})(?:${spelled().join('|')})(?!\\p{L})`,
    `[两兩三四五六七八九十](?=[个個份种種道件项項条條つ品])`,
  ].join('|'),
  'gu',
)

function spelled(): readonly string[] {
  return [...values.keys()].filter((word) => word.length > 1)
}
