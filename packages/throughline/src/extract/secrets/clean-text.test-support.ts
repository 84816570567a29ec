/** Text without secrets that looks as if it had some; redaction must not change it. */
import { type Random, seededRandom } from '../../../../../harness/kernel/chance.ts'

const small = 'abcdefghijklmnopqrstuvwxyz'
const digit = '0123456789'
const hex = `${digit}abcdef`
const letters = small + small.toUpperCase() + digit

function drawn(random: Random, length: number, from: string): string {
  return Array.from({ length }, () => from[random(from.length)]).join('')
}

/** Lines of code and settings that mention secrets but contain none. */
const mentions = [
  'const password: string = await readPassword(prompt)',
  'export interface Credentials { readonly password: string; readonly token?: string }',
  'if (token === null || token.type !== SyntaxKind.Identifier) return parseToken(token)',
  'const token = process.env.GITHUB_TOKEN ?? options.token',
  'api_key = os.environ["OPENAI_API_KEY"]',
  'apiKey: process.env.OPENAI_API_KEY,',
  'OPENAI_API_KEY=your-api-key',
  'OPENAI_API_KEY=sk-your-key-here',
  'GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'API_KEY=<your-api-key>',
  `token: $\{{ secrets.GITHUB_TOKEN }}`,
  `password: $\{DB_PASSWORD}`,
  'PASSWORD=changeme',
  'password=********',
  'Authorization: Bearer <token>',
  `Authorization: Bearer $\{token}`,
  `headers: { Authorization: \`Bearer $\{apiKey}\` },`,
  "headers.set('Authorization', 'Bearer ' + accessToken)",
  'Basic authentication is not supported by the bearer token provider.',
  'postgres://user:password@localhost:5432/main',
  `postgres://$\{user}:$\{password}@$\{host}/main`,
  'redis://:<password>@cache:6379',
  'The token is invalid or has expired; request another token with a new password.',
  'max_tokens: 4096, prompt_tokens: 31245, total_tokens: 1234567890123456',
  '"nextPageToken": "CAUQAA", "tokenCount": 128000',
  'tokens_per_second=1250.75 tokenizer=o200k_base token_type=bearer',
  'secretName: production-database-credentials',
  'secret_key_base = Rails.application.credentials.secret_key_base',
  'password_hash = bcrypt.hash(password, rounds)',
  'private readonly passwordInput = this.page.locator("input[type=password]")',
  "label: 'Password', placeholder: 'Enter your password', name: 'password'",
  '"password": "Password must have at least 8 characters, 1 digit and 1 symbol"',
  'const keyPair: CryptoKeyPair = await crypto.subtle.generateKey(algorithm, true, usages)',
  'primaryKey: userAccountIdentifier2, foreignKey: organizationMembershipId',
  'key=value; keyboard=qwerty; monkey=banana12345678',
  'Cookie: theme=dark; lang=en; consent=all',
  'document.cookie.split("; ").find((row) => row.startsWith("session="))',
  'sk-circle sk-fading-circle sk-cube-grid sk-folding-cube-animation-delay',
  "if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) return decodePem(pem)",
  'docker run --user 1000:1000 --env TOKEN --rm image:latest',
  'git clone git@github.com:owner/repository.git && cd repository',
  'auth: user.credentials.accessToken.value, secret: config.get("auth.secret")',
  'pass: true, passed: 214, bypass: false, compass: north',
  'author: ada, authority: root2048, signature: (a: string, b: number) => void',
  'type Token = { kind: TokenKind2; text: string; start: number }',
  '.password-field{margin:0}.token{color:#ff00aa}.secret:hover{opacity:.5}',
  'password: see the wiki, or ask Ada',
  'the password is required, and the token is 12 characters long',
  'password: z.string().min(8), token: str | None = None',
  'SECRET=process.env.SESSION_SECRET TOKEN=config.auth.token',
  'const token = getToken(), password = readInput2()',
  'connect(user=user, password=password1, secret=app.config.secret2)',
  'PWD=src OLDPWD=/home/ada PASS=true --pass=late',
  'mysql -h db -P 3306 -u root -p main && mysql -p$PASSWORD < dump.sql',
  'docker run -p 8080:80 -p 127.0.0.1:5432:5432 --name db image:16',
  'mkdir -p src/app2 && ssh -p 2222 ada@host && tsc -p tsconfig.json',
  'sshpass -p "$PASSWORD" ssh host; redis-cli -a option; curl -u $USER:$PASS',
  'echo hello1 | sudo tee /etc/motd2 && echo done2 | cat -A',
  'docker login -u ada --password-stdin reads the password from a pipe',
  'a machine for login and a password reset page',
  '"password": "string", "password": { "type": "string" }, "passwordHash": "bcrypt10"',
  'var e=t.token,n=r.password||"",o=function(t){return t.key===n.key2?t:null};',
]

const prose =
  'the session was long and the plan changed twice before anyone wrote the summary of what had been decided about the import of invoices and the order of the tests'.split(
    ' ',
  )

const makers: readonly ((random: Random) => string)[] = [
  (random) => mentions[random(mentions.length)] ?? '',
  (random) => mentions[random(mentions.length)] ?? '',
  (random) => Array.from({ length: 12 }, () => prose[random(prose.length)]).join(' '),
  (random) => `commit ${drawn(random, 40, hex)}`,
  (random) => `index ${drawn(random, 7, hex)}..${drawn(random, 7, hex)} 100644`,
  (random) => `id: ${uuid(random)}, trace ${drawn(random, 32, hex)}`,
  (random) => `"integrity": "sha512-${drawn(random, 86, `${letters}+/`)}==",`,
  (random) => `src="data:image/png;base64,iVBORw0KGgo${drawn(random, 400, `${letters}+/`)}"`,
  (random) => drawn(random, 76, `${letters}+/`),
  (random) => `sha256:${drawn(random, 64, hex)} ${random(90_000)} bytes`,
  (random) =>
    `!function(${drawn(random, 1, small)}){var ${drawn(random, 2, small)}=${random(9_999)},${drawn(random, 1, small)}="${drawn(random, 6, letters)}";return ${drawn(random, 2, small)}.${drawn(random, 5, small)}(0x${drawn(random, 8, hex)})}`,
  (random) =>
    `${1_700_000_000_000 + random(99_999_999)} ${random(1_000_000) / 997} 0.${drawn(random, 16, digit)}`,
  (random) =>
    `https://example.org/${drawn(random, 11, letters)}?v=${drawn(random, 8, letters)}#L${random(900)}`,
  (random) =>
    `"resolved": "https://registry.example.org/a/-/a-${random(9)}.${random(20)}.${random(9)}.tgz",`,
  (random) => `at Object.<anonymous> (/app/src/file-${random(99)}.ts:${random(900)}:${random(80)})`,
  (random) =>
    `2026-0${1 + random(9)}-1${random(9)}T1${random(9)}:4${random(9)}:0${random(9)}.${drawn(random, 3, digit)}Z INFO request ${drawn(random, 16, hex)}`,
  (random) => `chunk-${drawn(random, 8, letters)}.js ETag: W/"${drawn(random, 27, letters)}"`,
]

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => drawn(random, length, hex)).join('-')
}

/** Lines with at least so many characters in all. */
export function cleanLines(seed: string, characters: number): readonly string[] {
  const random = seededRandom(seed)
  const lines: string[] = []
  for (let length = 0; length < characters; ) {
    const line = makers[random(makers.length)]?.(random) ?? ''
    lines.push(line)
    length += line.length + 1
  }
  return lines
}
