/** The words that the judge uses to find claims in English, and numbers in several languages. */

/**
 * Verbs of actions that change something outside the answer. The verbs of a row are synonyms. A
 * verb after `~` proves an action and claims none: "made a suggestion" changes nothing.
 */
export const actionVerbs = {
  save: 'save store record log/logged register persist insert add ~put/put ~keep/kept',
  create:
    'create insert add build/built ~design ~generate ~write/wrote/written ~draft ~compose ~produce ~develop ~prepare ~make/made',
  delete: 'delete remove erase clear discard ~drop/dropped',
  update: 'update change modify edit ~adjust ~revise ~correct ~fix ~rename ~replace ~move',
  confirm: 'confirm approve accept ~agree',
  reject: 'reject decline',
  complete: 'complete finish ~do/did/done',
  order: 'order buy/bought purchase',
  send: 'send/sent email mail',
  book: 'book schedule reserve',
  cancel: 'cancel/cancelled/canceled',
  publish: 'publish deploy release launch ship/shipped',
  rename: 'rename',
  replace: 'replace',
  move: 'move transfer',
  copy: 'copy duplicate',
  fix: 'fix repair',
  merge: 'merge',
  migrate: 'migrate',
  install: 'install',
  implement: 'implement',
  import: 'import',
  export: 'export',
  upload: 'upload',
  download: 'download',
  submit: 'submit/submitted',
  archive: 'archive',
  restore: 'restore',
  pay: 'pay/paid',
} as const

export type ActionKind = keyof typeof actionVerbs
type Kinds = readonly ActionKind[]

/** The actions that a write proves, by its `action`; `anyWrite` if it has none. */
export const writes: Readonly<Record<'create' | 'update' | 'delete', Kinds>> = {
  create: ['create', 'save', 'complete'],
  update: ['update', 'save', 'complete'],
  delete: ['delete', 'complete'],
}
export const anyWrite: Kinds = ['create', 'update', 'save', 'complete']
export const drafts: Kinds = ['create']

/** The actions that an entity update of the user proves. */
export const decisions: Readonly<Record<'pending' | 'active' | 'inactive', Kinds>> = {
  pending: [],
  active: ['confirm'],
  inactive: ['reject', 'cancel'],
}

/** Words around a verb: they join it, start a new clause, name an actor, deny it, or qualify it. */
export const smallWords = {
  joining: 'and or nor',
  beginning: 'so then instead because',
  actors: 'assistant agent',
  nothing: 'nothing none neither nobody',
  attributive: `
  the a an my your our their his her its this these those any each every previously recently
  newly of for with from in about as`,
  denying: `
  not never cannot no nor nothing none neither nobody without unable fail fails failed failing yet
  would could should will shall can may might must ought if unless until before once when whether
  be being want wants wanted like hope hopes i'll we'll you'll it'll they'll`,
} as const

/** From two on, because "one" is rarely a count. Words with a second meaning are omitted. */
export const numberWords: Readonly<Record<string, string>> = {
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

export const scriptsOfLanguages: Readonly<Record<string, RegExp>> = {
  Arabic: /\p{sc=Arab}/u,
  Chinese: /\p{sc=Hani}/u,
  Greek: /\p{sc=Grek}{2}/u,
  Hebrew: /\p{sc=Hebr}/u,
  Hindi: /\p{sc=Deva}/u,
  Japanese: /[\p{sc=Hira}\p{sc=Kana}]/u,
  Korean: /\p{sc=Hang}/u,
  Russian: /\p{sc=Cyrl}/u,
  Thai: /\p{sc=Thai}/u,
}

/** Verbs of looking and speaking, and auxiliary verbs: alone they change nothing. */
export const observing =
  /(?<!\p{L})(?:was|were|been|found|sa(?:w|id)|t(?:ells|old)|(?:profil|analy[sz]|check|review|inspect|examin|measur|count|identif|notic|calculat|estimat|investigat|search|read|recall|remember|advis|encourag|comfort|doubt|report|warn)(?:i?ed|d)?)(?!\p{L})/u

export const presentsResult = /(?<!\p{L})(?:here(?:['’]s| is| are)|below (?:is|are))(?!\p{L})/iu

export const ownAction = /(?<!\p{L})(?:i|we)(?:'ve| have| had)?(?: just| already)? (\p{L}+)/gu
/** Only at the start of a sentence: `no yes` and `is it right` are no agreement. */
export const agreeing =
  /(?:^|[.!?,;\n]\s{0,2})(?:(?:haha|lol|oh|ah|hm+|huh|well)[,.!]? )?(?:yes|yep|yeah|ok|okay|sure|agreed|perfect|great|sounds good|go (?:ahead|for|with)|do it|let's|ja|oui|s[ií]|sim|да)(?!\p{L})|(?<!\p{L})i (?:confirm|approve|accept|agree)|^(?:confirm|approv|accept)|^(?:是|好|はい|네)/u
/** `I need the bug fixed` reports nothing as fixed. */
export const requesting =
  /(?<!\p{L})(?:need|want|please|must|should|let's|(?:can|could|would|will) you)(?!\p{L})/iu
export const refusing =
  /(?<!\p{L})(?:no|not|never|reject|decline|cancel|instead|without|\p{L}+n't)(?!\p{L})/u
