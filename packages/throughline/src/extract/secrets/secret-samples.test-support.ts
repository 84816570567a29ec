/**
 * Made-up secrets in the form of real ones, for every format that redaction knows. No value is a
 * real secret: each is drawn when a test runs.
 */
import { type Random, seededRandom } from '../../../../../harness/kernel/chance.ts'

export interface SecretSample {
  /** The secret, with the text around it that identifies it. */
  readonly text: string
  /** The part that must be redacted. */
  readonly value: string
}

export interface SampleFormat {
  readonly name: string
  readonly kind: string
  readonly draw: (random: Random) => SecretSample
}

const small = 'abcdefghijklmnopqrstuvwxyz'
const capital = small.toUpperCase()
const digit = '0123456789'
const hex = `${digit}abcdef`
const letters = capital + small + digit
const url = `${letters}-_`
const base64 = `${letters}+/`

function drawn(random: Random, length: number, from: string): string {
  return Array.from({ length }, () => from[random(from.length)]).join('')
}

/** Formats of a prefix and random characters: `<prefix> <alphabet> <length>`. */
const marked: readonly (readonly [kind: string, mark: string, from: string, length: number])[] = [
  ['OpenAI key', 'sk-', letters, 48],
  ['OpenAI key', 'sk-proj-', url, 156],
  ['OpenAI key', 'sk-svcacct-', url, 120],
  ['Anthropic key', 'sk-ant-api03-', url, 95],
  ['OpenRouter key', 'sk-or-v1-', hex, 64],
  ['Google API key', 'AIza', url, 35],
  ['Google OAuth secret', 'GOCSPX-', url, 28],
  ['Google OAuth token', 'ya29.', url, 120],
  ['Groq key', 'gsk_', letters, 52],
  ['Hugging Face token', 'hf_', capital + small, 34],
  ['xAI key', 'xai-', letters, 80],
  ['Perplexity key', 'pplx-', letters, 48],
  ['Replicate token', 'r8_', letters, 37],
  ['Cerebras key', 'csk-', small + digit, 48],
  ['Fireworks key', 'fw_', letters, 24],
  ['Together key', 'tgp_v1_', url, 43],
  ['NVIDIA key', 'nvapi-', url, 64],
  ['Tavily key', 'tvly-', letters, 32],
  ['LangSmith key', 'lsv2_pt_', hex, 43],
  ['AWS access key', 'AKIA', `${capital}234567`, 16],
  ['AWS access key', 'ASIA', `${capital}234567`, 16],
  ['GitHub token', 'github_pat_', letters, 82],
  ['GitLab token', 'glpat-', url, 20],
  ['GitLab token', 'glrt-', url, 20],
  ['PyPI token', 'pypi-AgEIcHlwaS5vcmc', url, 150],
  ['Docker token', 'dckr_pat_', url, 27],
  ['DigitalOcean token', 'dop_v1_', hex, 64],
  ['Shopify token', 'shpat_', hex, 32],
  ['Shopify token', 'shpss_', hex, 32],
  ['Stripe key', 'sk_live_', letters, 24],
  ['Stripe key', 'rk_live_', letters, 99],
  ['Stripe webhook secret', 'whsec_', letters, 32],
  ['Twilio key', 'SK', hex, 32],
  ['Mailgun key', 'key-', hex, 32],
  ['Brevo key', 'xkeysib-', hex, 64],
  ['Databricks token', 'dapi', hex, 32],
  ['Vault token', 'hvs.', url, 95],
  ['Doppler token', 'dp.pt.', letters, 43],
  ['Pulumi token', 'pul-', hex, 40],
  ['PlanetScale token', 'pscale_tkn_', url, 43],
  ['Supabase key', 'sbp_', hex, 40],
  ['Netlify token', 'nfp_', letters, 40],
  ['New Relic key', 'NRAK-', capital + digit, 27],
  ['Alibaba key', 'LTAI', letters, 20],
  ['Tailscale key', 'tskey-auth-', letters, 48],
  ['Linear key', 'lin_api_', letters, 40],
  ['Figma token', 'figd_', url, 40],
  ['Notion token', 'ntn_', letters, 46],
  ['Sentry token', 'sntryu_', hex, 64],
  ['SonarQube token', 'squ_', hex, 40],
  ['RubyGems key', 'rubygems_', hex, 48],
  ['Atlassian token', 'ATATT3', url, 180],
  ['Contentful token', 'CFPAT-', url, 43],
  ['Square token', 'sq0csp-', url, 43],
  ['Razorpay key', 'rzp_live_', letters, 14],
  ['age key', 'AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58],
]

const standalone: readonly SampleFormat[] = [
  ...marked.map(
    ([kind, mark, from, length]): SampleFormat => ({
      ...{ name: `${kind} ${mark}`, kind },
      draw: (random) => alone(mark + drawn(random, length, from)),
    }),
  ),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((mark) => ({
    ...{ name: `GitHub token ${mark}`, kind: 'GitHub token' },
    draw: (random: Random) => alone(mark + withChecksum(drawn(random, 30, letters))),
  })),
  format('npm token', (random) => alone(`npm_${withChecksum(drawn(random, 30, letters))}`)),
  format('Slack token', (random) =>
    alone(
      `xox${'bpsar'[random(5)]}-${drawn(random, 12, digit)}-${drawn(random, 13, digit)}-${drawn(random, 24, letters)}`,
    ),
  ),
  format('SendGrid key', (random) =>
    alone(`SG.${drawn(random, 22, url)}.${drawn(random, 43, url)}`),
  ),
  format('Telegram token', (random) =>
    alone(`${1 + random(9)}${drawn(random, 9, digit)}:AA${drawn(random, 33, url)}`),
  ),
  format('Discord token', (random) => {
    const user = btoa(`${1 + random(9)}${drawn(random, 17, digit)}`).replaceAll('=', '')
    return alone(`${user}.${drawn(random, 6, url)}.${drawn(random, 38, url)}`)
  }),
  format('JSON web token', (random) => {
    const header = btoa(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).replaceAll('=', '')
    return alone(`${header}.eyJ${drawn(random, 60, url)}.${drawn(random, 43, url)}`)
  }),
  format('Mailgun key', (random) =>
    alone(`${drawn(random, 32, hex)}-${drawn(random, 8, hex)}-${drawn(random, 8, hex)}`),
  ),
  format('Mailchimp key', (random) => alone(`${drawn(random, 32, hex)}-us${1 + random(20)}`)),
  format('Azure client secret', (random) =>
    alone(`${drawn(random, 3, letters)}${random(10)}Q~${drawn(random, 33, `${letters}_~.`)}a`),
  ),
  format('payment card', (random) => alone(card(random))),
  format('bank account', (random) => alone(account(random))),
]

/** Text before and after passwords that people choose. */
const commandLines: readonly (readonly [before: string, after: string])[] = [
  ["mysql -u root -p'", "' main"],
  ['mysqldump -uroot -p', ' main > dump.sql'],
  ['docker login -u ada -p ', ' registry.example.org'],
  ['az login --service-principal -u app -p ', ' --tenant t'],
  ['sshpass -p ', ' ssh ada@example.org'],
  ['["sshpass", "-p", "', '", "ssh", "ada@example.org"]'],
  ['{"command":"sudo sshpass -p \\"', '\\" ssh ada@example.org"}'],
  ['redis-cli -h cache -a ', ' ping'],
  ['mongosh -u ada -p ', ' --authenticationDatabase admin'],
  ['ldapsearch -x -D cn=admin -w ', ' -b dc=example'],
  ['sqlcmd -S db -U sa -P ', ' -Q "select 1"'],
  ['unzip -P ', ' backup.zip'],
  ['plink -pw ', ' ada@example.org'],
  ['7z x -p', ' backup.7z'],
  ['smbclient //host/share -U ada%', ' -c ls'],
  ["curl -s --user 'ada:", "' https://example.org"],
  ['http -a ada:', ' GET https://example.org'],
  ['lftp -u ada,', ' ftp.example.org'],
  ['echo ', ' | docker login -u ada --password-stdin'],
  ["echo '", "' | sudo -S systemctl restart app"],
  ['echo "ada:', '" | sudo chpasswd'],
  ['xfreerdp /u:ada /p:', ' /v:host'],
  ['keytool -list -keystore a.jks -storepass ', ' -v'],
  ['kubectl create secret generic db --from-literal=password=', ' -n app'],
  ['stringData:\n  password: ', '\n  user: ada'],
  ['Password: ', ''],
  ['**Password:** ', ''],
  ['the password is ', ', do not lose it'],
  ['[db]\nuser = ada\npassword = ', '\nport = 5432'],
  ['spring.datasource.password=', '\nspring.jpa.open=false'],
  ['PGPASSWORD=', ' psql -h db'],
  ['REDISCLI_AUTH=', ' redis-cli ping'],
  ['ENV DB_PASSWORD ', '\nEXPOSE 80'],
  ['--password=', ' --user ada'],
  ['--password ', ' --user ada'],
  ['{"password": "', '", "user": "ada"}'],
  ['<password>', '</password>'],
  ['Server=db;User Id=sa;Password=', ';Encrypt=true'],
  ['host=db user=ada password=', ' dbname=main'],
  ['ada:', '@tcp(db:3306)/main'],
  ['jdbc:oracle:thin:ada/', '@db:1521:main'],
  ['machine example.org login ada password ', ''],
  ['machine example.org\n  login ada\n  password ', '\n'],
  ['db.example.org:5432:main:ada:', ''],
  ['requirepass ', '\nappendonly yes'],
  ["ConvertTo-SecureString '", "' -AsPlainText -Force"],
]

/** A password as people choose it: a word and a number, sometimes with a mark. */
function chosen(before: string, after: string): SampleFormat {
  return {
    ...{ name: `password in ${before}`, kind: before.startsWith('REDIS') ? 'token' : 'password' },
    draw: (random) => {
      const word = drawn(random, 6 + random(4), small)
      const value = `${word}${drawn(random, 2 + random(2), digit)}${['', '', '!', '#'][random(4)]}`
      return { text: before + value + after, value }
    },
  }
}

/** Recognised by their place, so each sample has text around it. */
const placed: readonly SampleFormat[] = [
  format('private key', (random) => block('RSA PRIVATE KEY', random, '\n')),
  format('private key', (random) => block('EC PRIVATE KEY', random, '\\n')),
  format('SSH private key', (random) => block('OPENSSH PRIVATE KEY', random, '\n')),
  ...['postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'].map((scheme) =>
    within('database password', `${scheme}://app:`, [12, letters], '@db.internal:5432/main'),
  ),
  within('password in an address', 'https://ada:', [16, letters], '@example.org/a.git'),
  within('Azure key', 'AccountName=a;AccountKey=', [86, base64], '==;EndpointSuffix=core'),
  within('signature', 'https://a.blob.core.windows.net/c?sv=2024&sig=', [43, letters], '%3D'),
  within('bearer token', 'Authorization: Bearer ', [32, letters], ''),
  within('bearer token', '{"authorization": "Bearer ', [40, url], '"}'),
  format('basic credentials', (random) => {
    const value = btoa(`ada:${drawn(random, 14, letters)}`)
    return { text: `Authorization: Basic ${value}`, value }
  }),
  within('session cookie', 'Cookie: theme=dark; sessionid=', [32, letters], '; lang=en'),
  within('session cookie', 'Set-Cookie: connect.sid=s%3A', [32, letters], '; Path=/; HttpOnly'),
  within('AWS secret key', 'aws_secret_access_key = ', [40, base64], '\nregion = eu'),
  within('AWS secret key', '"SecretAccessKey": "', [40, base64], '"'),
  within('password', 'DB_PASSWORD=', [20, letters], '\nDB_PORT=5432'),
  within('password', '{"password": "', [20, letters], '", "user": "ada"}'),
  within('password', 'mysql --user=ada --password=', [20, letters], ' main'),
  within('password', 'the password is ', [20, letters], ', do not lose it'),
  within('API key', '  api_key: ', [32, letters], '\n  region: eu'),
  within('API key', "const apiKey = '", [32, hex], "'"),
  within('token', 'export DEPLOY_TOKEN="', [40, hex], '"'),
  within('token', 'https://example.org/hook?access_token=', [32, letters], '&page=2'),
  within('token', 'curl -H "X-Auth-Token: ', [32, letters], '" https://example.org'),
  within('secret', '<clientSecret>', [32, letters], '</clientSecret>'),
  within('secret', 'client_secret: "', [32, url], '"'),
  ...commandLines.map(([before, after]) => chosen(before, after)),
  format('secret', (random) => {
    const parts = [5, 6, 7].map((length) => `${drawn(random, length, letters)}${random(10)}`)
    return { text: `SECRET=${parts.join('.')}`, value: parts.join('.') }
  }),
  format('private key', (random) => {
    const { text } = block('PRIVATE KEY', random, '\n')
    return { text: `tls.key: ${btoa(text)}`, value: btoa(text).slice(0, -4) }
  }),
  within('token', 'git clone https://', [24, letters], '@example.org/a.git'),
]

export const standaloneFormats: readonly SampleFormat[] = standalone
export const placedFormats: readonly SampleFormat[] = placed

/** Files, commands and sentences that a secret can be in. */
export const surroundings: readonly ((secret: string) => string)[] = [
  (secret) => `{"name": "worker", "value": "${secret}", "retries": 3}`,
  (secret) => `NAME=worker\nVALUE=${secret}\nPORT=8080\n`,
  (secret) => `export VALUE='${secret}' && ./run.sh --fast`,
  (secret) => `Use ${secret} for now, and tell me when it works.`,
  (secret) => `It is ${secret}.`,
  (secret) => `https://example.org/v1/items?value=${secret}&page=2`,
  (secret) => `service:\n  value: ${secret}\n  port: 80\n`,
  (secret) => `"first line\\n${secret}\\nlast line"`,
  (secret) => `curl -H 'X-Value: ${secret}' https://example.org`,
  (secret) => `请用 ${secret} 登录`,
]

export function samples(format: SampleFormat, count: number): readonly SecretSample[] {
  const random = seededRandom(format.name)
  return Array.from({ length: count }, () => format.draw(random))
}

function format(kind: string, draw: SampleFormat['draw']): SampleFormat {
  return { name: kind, kind, draw }
}

function within(
  kind: string,
  before: string,
  [length, from]: readonly [number, string],
  after: string,
): SampleFormat {
  return {
    ...{ name: `${kind} in ${before}`, kind },
    draw: (random) => {
      const value = drawn(random, length, from)
      return { text: before + value + after, value }
    },
  }
}

function alone(value: string): SecretSample {
  return { text: value, value }
}

function block(label: string, random: Random, lineBreak: string): SecretSample {
  const lines = Array.from({ length: 6 }, () => drawn(random, 64, base64))
  const dashes = '-'.repeat(5)
  const text = [`${dashes}BEGIN ${label}${dashes}`, ...lines, `${dashes}END ${label}${dashes}`]
  return { text: text.join(lineBreak), value: lines.join(lineBreak) }
}

/** Computed differently from the code under test: bit by bit, with a reversed register. */
function withChecksum(content: string): string {
  let register = 0xffff_ffffn
  for (const letter of content) {
    for (let bit = 0; bit < 8; bit += 1) {
      const feed = (BigInt(letter.charCodeAt(0)) >> BigInt(bit)) & 1n
      const carry = (register & 1n) ^ feed
      register = (register >> 1n) ^ (carry === 1n ? 0xedb8_8320n : 0n)
    }
  }
  let [rest, sum] = [register ^ 0xffff_ffffn, '']
  const order = digit + capital + small
  for (let place = 0; place < 6; place += 1, rest /= 62n) sum = order[Number(rest % 62n)] + sum
  return content + sum
}

function card(random: Random): string {
  const begin = ['4', '51', '55', '2221', '6011', '65'][random(6)] ?? '4'
  const number = begin + drawn(random, 15 - begin.length, digit)
  const doubled = (value: number) => (value > 4 ? value * 2 - 9 : value * 2)
  const sum = [...number].reduce(
    (total, letter, at) => total + (at % 2 === 0 ? doubled(Number(letter)) : Number(letter)),
    0,
  )
  const whole = number + ((10 - (sum % 10)) % 10)
  const gap = ['', ' ', '-'][random(3)] ?? ''
  return (whole.match(/.{4}/g) ?? []).join(gap)
}

function account(random: Random): string {
  const [country, length] = (
    [
      ['DE', 18],
      ['FR', 23],
      ['ES', 20],
      ['NL', 14],
    ] as const
  )[random(4)] ?? ['DE', 18]
  const bank = drawn(random, length, digit)
  const numeric = [...`${bank}${country}00`].map((letter) => Number.parseInt(letter, 36)).join('')
  const check = String(98n - (BigInt(numeric) % 97n)).padStart(2, '0')
  const whole = `${country}${check}${bank}`
  return random(2) === 0 ? whole : (whole.match(/.{1,4}/g) ?? []).join(' ')
}
