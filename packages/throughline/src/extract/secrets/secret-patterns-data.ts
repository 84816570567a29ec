/** Patterns of secrets without a prefix. Every repetition in them is bounded. */
export interface SecretPattern {
  readonly kind: string
  /** Every match contains this text; other texts are skipped. */
  readonly needs: string
  /** The secret is the first group, or the whole match without groups. */
  readonly pattern: RegExp
  /** Matches the text before a match, perhaps an escape such as `\\n`; its group is secret too. */
  readonly before?: RegExp
  /** The first part, up to a full stop, is the number of a user in base64. */
  readonly startsWithUserId?: true
}

const hexBefore = /(?:^|[^\w-]|\\[nrt])([0-9a-f]{32})$/

/**
 * Secrets recognised by their shape as a whole. Each pattern starts at a rare character, to skip
 * most of a text; `before` is matched only after it.
 */
export const shapedPatterns: readonly SecretPattern[] = [
  {
    kind: 'Telegram token',
    needs: ':',
    pattern: /:[\w-]{35}(?![\w-])/dg,
    before: /(?:^|[^\w.-]|\\[nrt])(?:bot)?(\d{8,10})$/,
  },
  {
    kind: 'Discord token',
    needs: '.',
    pattern: /\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/dg,
    before: /(?:^|[^\w.-]|\\[nrt])([MNO][\w-]{22,27})$/,
    startsWithUserId: true,
  },
  {
    kind: 'Mailgun key',
    needs: '-',
    pattern: /-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/dg,
    before: hexBefore,
  },
  { kind: 'Mailchimp key', needs: '-us', pattern: /-us\d{1,2}(?![\w-])/dg, before: hexBefore },
  {
    kind: 'Azure client secret',
    needs: 'Q~',
    pattern: /Q~[\w.~-]{31,34}(?![\w~-])/dg,
    before: /(?:^|[^\w.~-]|\\[nrt])([\w.~-]{3}\d)$/,
  },
  {
    kind: 'Terraform token',
    needs: '.atlasv1.',
    pattern: /\.atlasv1\.[\w-]{60,70}(?![\w-])/dg,
    before: /(?:^|[^\w-]|\\[nrt])([A-Za-z0-9]{14})$/,
  },
  {
    kind: 'Slack webhook',
    needs: 'hooks.slack.com/',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+]{30,120})/dg,
  },
  {
    kind: 'Discord webhook',
    needs: '.com/api/webhooks/',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{15,20}\/[\w-]{60,80})/dg,
  },
  {
    kind: 'Teams webhook',
    needs: '.webhook.office.com/',
    pattern: /\.webhook\.office\.com\/webhookb2\/([\w@/-]{60,250})/dg,
  },
]

/** Passwords in known files and strings: `.netrc`, `.pgpass`, `redis.conf`, connection strings. */
export const placedPatterns: readonly SecretPattern[] = [
  {
    kind: 'password',
    needs: 'machine',
    pattern:
      /(?<=^|\W|\\[nrt])machine\s{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,64}\s{1,8}password[ \t]{1,8}([^\s"']{3,128})/dg,
  },
  {
    kind: 'password',
    needs: ':5432:',
    pattern: /:5432:[\w*.-]{1,64}:[\w.@-]{1,64}:([^\s:"']{3,128})/dg,
  },
  {
    kind: 'password',
    needs: 'requirepass',
    pattern: /(?:^|\n|\\n)[ \t]{0,4}requirepass[ \t]{1,4}"?([^\s"]{4,128})/dg,
  },
  { kind: 'password', needs: '@tcp(', pattern: /:([^\s:@/"'`]{3,64})@tcp\(/dg },
  {
    kind: 'password',
    needs: 'jdbc:oracle:thin:',
    pattern: /jdbc:oracle:thin:[\w$#]{1,64}\/"?([^\s@"]{3,64})"?@/dg,
  },
  {
    kind: 'password',
    needs: 'SecureString',
    pattern: /SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\n]{3,200})["']/dg,
  },
  { kind: 'password', needs: 'freerdp', pattern: /(?<=\s)\/p:"?([^\s"]{3,64})/dg },
]

/** Fourteen to nineteen digits, in one piece or in groups with one separator. */
export const cardShape =
  /(?:(?<![\w.%+-]|\d,)|(?<=\\[nrt]))(?:\d{14,19}|\d{4}(?<gap>[ -])\d{4}\k<gap>\d{4}\k<gap>\d{4}(?:\k<gap>\d{1,3})?|\d{4}(?<wide>[ -])\d{6}\k<wide>\d{4,5})(?![\w%+=-]|\.\d)/g

export const cardIssuers: readonly RegExp[] = [
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

export const accountShape =
  /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g

/** Country and length. */
export const accountLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 ' +
    'EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 ' +
    'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 ' +
    'PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
)
