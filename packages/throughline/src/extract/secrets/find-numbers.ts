/** Numbers that are as good as money: payment cards and bank accounts. */
import { capitals, has } from './alphabet.ts'
import { passesLuhn, passesMod97 } from './checksums.ts'
import type { Finder, Finding } from './finding.ts'
import { endsWord } from './scanned-text.ts'

/** Fourteen to nineteen digits, in one piece or in groups with one separator. */
const cardShape =
  /(?:(?<![\w.%+-]|\d,)|(?<=\\[nrt]))(?:\d{14,19}|\d{4}(?<gap>[ -])\d{4}\k<gap>\d{4}\k<gap>\d{4}(?:\k<gap>\d{1,3})?|\d{4}(?<wide>[ -])\d{6}\k<wide>\d{4,5})(?![\w%+=-]|\.\d)/g

/** A look that is quick, because it does not look back. */
const promisingCard = /\d{4}[ -]?\d{4}/

export const findCards: Finder = ({ text }) => (promisingCard.test(text) ? cardsIn(text) : [])

function cardsIn(text: string): readonly Finding[] {
  return [...text.matchAll(cardShape)]
    .filter(({ 0: written }) => passesLuhn(written) && isCard(written.replaceAll(/[ -]/g, '')))
    .map(
      ({ index, 0: { length } }): Finding => ({
        from: index,
        to: index + length,
        kind: 'payment card',
        by: 'form',
      }),
    )
}

function isCard(number: string): boolean {
  return distinctEnough(number) && issuers.some((issuer) => issuer.test(number))
}

/** Zeros to the end pass every sum. */
function distinctEnough(number: string): boolean {
  return new Set(number).size > 2 || number.startsWith('4111')
}

const issuers: readonly RegExp[] = [
  // Visa.
  /^4\d{15}$/,
  // Mastercard.
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/,
  // American Express.
  /^3[47]\d{13}$/,
  // Discover.
  /^(?:6011|64[4-9]\d|65\d\d)\d{12}$/,
  // Diners Club.
  /^3(?:0[0-5]|[689]\d)\d{11}$/,
  // JCB.
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  // UnionPay.
  /^62\d{14,17}$/,
]

const accountShape =
  /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g

const promisingAccount = /[A-Z]{2}\d{2} ?[A-Z0-9]{4}/

export const findAccounts: Finder = ({ text }) =>
  promisingAccount.test(text) ? accountsIn(text) : []

function accountsIn(text: string): readonly Finding[] {
  return [...text.matchAll(accountShape)].flatMap(({ index, 0: written }): readonly Finding[] => {
    const to = accountEnd(text, index, written)
    return to === null ? [] : [{ from: index, to, kind: 'bank account', by: 'form' }]
  })
}

/** A country fixes the length, so a word in capitals behind an account is not taken for a part. */
function accountEnd(text: string, from: number, written: string): number | null {
  const expected = accountLengths.get(written.slice(0, 2))
  if (expected === undefined) return null
  let account = ''
  let to = from
  for (; to < from + written.length && account.length < expected; to += 1) {
    if (has(capitals, text.charCodeAt(to))) account += text[to]
  }
  const isWhole = account.length === expected && endsWord(text, to)
  return isWhole && passesMod97(account) ? to : null
}

const accountLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 ' +
    'EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 ' +
    'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 ' +
    'PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
)
