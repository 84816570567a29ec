/**
 * The kinds of generated text: each is a function from random numbers and a length to a text of about
 * that length. Languages are built from syllables and frequent words: not prose, but spelled like it.
 */

import type { Random } from '../harness/kernel/chance.ts'
import {
  fromBlock,
  language,
  letters,
  lines,
  type MakeText,
  pick,
  prose,
  repeat,
  small,
  syllables,
  words,
} from './corpus-text.ts'

function hex(random: Random, length: number): string {
  return letters(random, '0123456789abcdef', length)
}

const base64Letters = `${small}${small.toUpperCase()}0123456789+/`

const english = words(
  'the of and to in is that it was for on are with as his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know get through back much before go good new write our used me man too any day same right look think also around another came come work three word must because does part even place well such here take why things help put years different away again off went old number great tell men say small every found still between name should home big give air line set own under read last never us left end along while might next sound below saw something thought both few those always looked show large often together asked house world going want school important until form food keep children feet land side without boy once animals life enough took sometimes four head above kind began almost live page got earth need far hand high year mother light parts country father let night following picture being study second eyes soon times story boys since white days ever paper hard near sentence better best across during today others however sure means knew try told young miles sun ways thing whole hear example heard several change answer room sea against top turned learn point city play toward five using himself usually money seen didn car morning',
)
const technical = words(
  'function return const import export default async await request response header cursor buffer stream token schema index query database transaction commit rollback migration container cluster deployment replica latency throughput timeout retry backoff idempotent serializer deserialize middleware authentication authorization credential certificate checksum compression encoder decoder tokenizer embedding inference gradient optimizer checkpoint hyperparameter regression classification benchmark profiler allocator garbage collector mutex semaphore deadlock coroutine iterator generator closure prototype polyfill transpiler bundler linter formatter webhook endpoint payload microservice kubernetes terraform postgres sqlite redis kafka rabbitmq nginx grafana prometheus elasticsearch',
)
const rare = words(
  'zugzwang quixotic chrysanthemum onomatopoeia syzygy phlegmatic sesquipedalian triskaidekaphobia borborygmus floccinaucinihilipilification eyjafjallajokull tchaikovsky nietzsche szczecin llanfairpwllgwyngyll acetylcholinesterase deoxyribonucleic pneumonoultramicroscopic methylenedioxymethamphetamine hydroxychloroquine bougainvillea rhododendron pterodactyl xylophonist mnemonic',
)

function camel(random: Random): string {
  const parts = Array.from({ length: 2 + random(3) }, () =>
    pick(random, [...english, ...technical]),
  )
  return parts
    .map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')
}

function identifier(random: Random): string {
  return pick(random, [
    camel,
    (r: Random) => pick(r, technical),
    (r: Random) => `${pick(r, technical)}_${pick(r, english)}`,
  ])(random)
}

function codeLine(random: Random): string {
  const indent = pick(random, ['', '  ', '    ', '\t', '\t\t', '        '])
  const a = identifier(random)
  const b = identifier(random)
  return (
    indent +
    pick(random, [
      `const ${a} = await ${b}(${identifier(random)}, { ${a}: ${random(1000)} });`,
      `if (${a} !== null && ${b}.length > ${random(99)}) {`,
      `def ${a}(self, ${b}: int = ${random(9)}) -> None:`,
      `for (int i = 0; i < ${a}->${b}; ++i) { *p++ ^= 0x${hex(random, 4)}; }`,
      `#include <${a}/${b}.h>`,
      `fn ${a}<'a, T: ${camel(random)}>(&'a mut self) -> Result<(), ${b}> {`,
      `SELECT ${a}, COUNT(*) FROM ${b} WHERE id IN (?, ?) GROUP BY 1;`,
      `// ${pick(random, english)} ${pick(random, english)} ${pick(random, technical)}`,
      `<div className="${a} ${b}" onClick={() => ${a}(${random(99)})}>{${b}}</div>`,
      `$${a} = @{ ${b}[%r{^/${a}}] } || die "can't ${a}: $!";`,
      '}',
      '',
    ])
  )
}

function jsonValue(random: Random, depth: number): unknown {
  const kind = random(depth > 2 ? 5 : 7)
  if (kind === 0) return random(1_000_000)
  if (kind === 1) return random(2) === 0
  if (kind === 2) return `${pick(random, english)} ${pick(random, technical)}`
  if (kind === 3) return hex(random, 24)
  if (kind === 4) return random(1_000_000_000) / 997
  if (kind === 5) return Array.from({ length: random(5) }, () => jsonValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: 1 + random(5) }, () => [identifier(random), jsonValue(random, depth + 1)]),
  )
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')
}

export const corpusKinds = {
  english: prose(english),
  'english technical': prose([...english, ...technical]),
  'english rare words': prose([...english, ...rare]),
  german: prose(
    language(
      'de',
      'der die und nicht Geschwindigkeitsbegrenzung für über Straße möglich Verantwortung wäre Einstellungen überprüfen Benutzer können während Zusammenhang größer Fehlermeldung ist das ein mit auf Datei öffnen Schaltfläche natürlich schließlich',
    ),
  ),
  french: prose(
    language(
      'fr',
      "le la les et être où déjà français l'utilisateur aujourd'hui qu'elle réseau paramètres développement fenêtre après même très élève sélectionner fichier impossible où ça garçon œuvre bibliothèque",
    ),
  ),
  spanish: prose(
    language(
      'es',
      'el la que y en los más también configuración archivo usuario mañana después aplicación corazón niño español según está contraseña búsqueda información',
    ),
  ),
  polish: prose(
    language(
      'pl',
      'nie jest się że proszę dziękuję użytkownik hasło wyszukiwanie przeglądarka źródło następujący możliwość książka szczęście błąd połączenia',
    ),
  ),
  turkish: prose(
    language(
      'tr',
      've bir bu için değil kullanıcı şifre güncelleme yapılandırma çalışıyor görüntüleniyor bağlantısı gerçekleştirilemiyor özellikleri',
    ),
  ),
  finnish: prose(
    language(
      'fi',
      'ja on ei että käyttäjä järjestelmä epäjärjestelmällisyys asetukset tiedostojärjestelmä mahdollisuus päivitetään',
    ),
  ),
  vietnamese: prose(
    language(
      'vi',
      'và là của không người được những trong với một cho các này đã khi từ có thể đến nhiều như về nước phải làm việc tiếng Việt',
    ),
  ),
  russian: prose(
    language(
      'ru',
      'и в не на что пользователь ошибка файл настройки невозможно приложение подключение соединение это как для был она мы программа следующий переменная',
    ),
  ),
  ukrainian: prose(
    language(
      'uk',
      'і не що користувач помилка налаштування неможливо підключення зʼєднання це як для був вона ми програма наступний змінна їжа ґанок',
    ),
  ),
  greek: prose(
    language(
      'el',
      'και το να είναι δεν χρήστης αρχείο ρυθμίσεις σφάλμα σύνδεση εφαρμογή αδύνατη επόμενο μεταβλητή',
    ),
  ),
  hebrew: prose(
    language('he', 'של את על לא הוא משתמש קובץ שגיאה הגדרות חיבור יישום בלתי אפשרי הבא משתנה'),
  ),
  arabic: prose(
    language(
      'ar',
      'في من على إلى هذا المستخدم الملف خطأ الإعدادات الاتصال التطبيق غير ممكن التالي المتغير البرنامج',
    ),
    '، ',
  ),
  persian: prose(
    language(
      'fa',
      'و در به از که این کاربر پرونده خطا تنظیمات اتصال برنامه ناممکن بعدی متغیر می‌شود',
    ),
  ),
  hindi: prose(
    language('hi', 'और के में है की उपयोगकर्ता फ़ाइल त्रुटि सेटिंग्स कनेक्शन अनुप्रयोग असंभव अगला चर कार्यक्रम'),
    '। ',
  ),
  bengali: syllables(words('ব্যব হার কারী ফা ইল ত্রু টি সং যোগ না এর এবং কর তে পারে'), ' ', '। '),
  tamil: syllables(words('பய னர் கோப் பு பிழை இணைப் அமை வு முடி யாது மற் றும் அது'), ' ', '. '),
  thai: syllables(words('ผู้ใช้ ไฟล์ ข้อผิดพลาด การตั้งค่า เชื่อมต่อ และ ใน ที่ ไม่ ได้ เป็น ของ มี ว่า'), '', ' '),
  chinese: syllables(
    words(
      '的 一 是 不 了 在 人 有 我 他 这 中 用户 文件 错误 设置 连接 应用 程序 无法 下一个 变量 我们 可以 因为 所以',
    ),
    '',
    '，',
  ),
  'traditional chinese': syllables(
    words(
      '的 一 是 不 了 在 人 有 我 他 這 中 使用者 檔案 錯誤 設定 連線 應用 程式 無法 變數 我們 可以 因為 龜 鬱 籲',
    ),
    '',
    '。',
  ),
  'rare han': fromBlock(0x4e00, 0xa000, ['，', '。', ' ']),
  japanese: syllables(
    words(
      'の に は を た が で て と し れ さ ある いる ユーザー ファイル エラー 設定 接続 アプリケーション できません 次 変数 私たち',
    ),
    '',
    '。',
  ),
  korean: syllables(
    words(
      '사용자 파일 오류 설정 연결 애플리케이션 불가능 다음 변수 그리고 는 을 를 이 가 에서 합니다 있습니다',
    ),
    ' ',
    '. ',
  ),
  'rare hangul': fromBlock(0xac00, 0xd7a4, [' ', '.']),
  georgian: prose(
    language(
      'ka',
      'და არის რომ მომხმარებელი ფაილი შეცდომა პარამეტრები კავშირი პროგრამა შეუძლებელია შემდეგი ცვლადი',
    ),
  ),
  ethiopic: fromBlock(0x1200, 0x1250, [' ', '።']),
  emoji: (random, length) =>
    repeat(length, () =>
      pick(random, [
        '😀',
        '👍🏽',
        '❤️',
        '👨‍👩‍👧',
        '🇩🇪',
        '🎉',
        String.fromCodePoint(0x1f300 + random(700)),
        ' ',
        'ok ',
      ]),
    ),
  'mathematical letters': (random, length) =>
    repeat(length, () => String.fromCodePoint(0x1d400 + random(600))),
  'combining marks': (random, length) =>
    repeat(length, () => `${pick(random, [...small])}${String.fromCharCode(0x300 + random(100))}`),
  code: lines(codeLine),
  'minified code': (random, length) =>
    repeat(
      length,
      () =>
        `${pick(random, ['var ', 'return ', '', ''])}${letters(random, small, 1)}${pick(random, ['=', '(', '.', '&&', '||', '?', ':', '=>', ');', '},', '[0]', '!==null&&'])}${pick(random, [identifier(random), letters(random, small, 2), String(random(999))])}`,
    ),
  'camel case': (random, length) =>
    repeat(length, () => `${camel(random)}${pick(random, [' ', '.', '(', '\n', ', '])}`),
  'snake case': (random, length) =>
    repeat(
      length,
      () => `${pick(random, technical)}_${pick(random, english)}_${pick(random, rare)} `,
    ),
  'all caps': (random, length) =>
    repeat(
      length,
      () =>
        `${pick(random, [...english, ...technical]).toUpperCase()}${pick(random, [' ', '_', '. '])}`,
    ),
  json: (random, length) => repeat(length, () => JSON.stringify(jsonValue(random, 0))),
  'json indented': (random, length) =>
    repeat(length, () => JSON.stringify(jsonValue(random, 0), null, 2)),
  logs: lines(
    (random) =>
      `2026-0${1 + random(9)}-1${random(10)}T0${random(10)}:${10 + random(50)}:${10 + random(50)}.${100 + random(900)}Z ${pick(random, ['INFO', 'WARN', 'ERROR', 'DEBUG'])} [${pick(random, technical)}-${random(64)}] ${identifier(random)}: ${pick(random, english)} ${pick(random, technical)} took ${random(9000)}ms (id=${hex(random, 12)})`,
  ),
  'repeated log line': (random, length) => {
    const line = `${pick(random, rare)} ${identifier(random)}/${hex(random, 6)}: ${pick(random, rare)} ${letters(random, small, 9)}\n`
    return repeat(length, () => line)
  },
  'stack traces': lines(
    (random) =>
      `    at ${camel(random)}.${camel(random)} (/srv/app/node_modules/${pick(random, technical)}/dist/${pick(random, technical)}.js:${random(999)}:${random(99)})`,
  ),
  hex: (random, length) => hex(random, length),
  'hex dump': lines(
    (random) =>
      `${hex(random, 8)}: ${Array.from({ length: 8 }, () => hex(random, 4)).join(' ')}  ${letters(random, `${small}....`, 16)}`,
  ),
  uuids: lines(uuid),
  base64: (random, length) => letters(random, base64Letters, length),
  'base64 url ids': lines(
    (random) => `call_${letters(random, base64Letters.replace('+/', '-_'), 24)}`,
  ),
  numbers: lines((random) =>
    Array.from({ length: 6 }, () =>
      (random(1_000_000) / (1 + random(1000))).toFixed(random(6)),
    ).join(pick(random, [' ', ',', '\t'])),
  ),
  digits: (random, length) => letters(random, '0123456789', length),
  'markdown table': lines(
    (random) =>
      `| ${pick(random, english)} | ${pick(random, technical)} | ${random(9999)} | ${pick(random, ['---', ':--:', '✓', ''])} |`,
  ),
  markdown: lines(
    (random) =>
      pick(random, ['# ', '## ', '- [ ] ', '1. ', '> ', '```ts', '**', '---', '']) +
      Array.from({ length: random(12) }, () => pick(random, english)).join(' ') +
      pick(random, ['', '**', '`code`', ' [link](https://example.com/a?b=c)', ':']),
  ),
  whitespace: (random, length) =>
    repeat(length, () =>
      pick(random, [
        ' '.repeat(1 + random(120)),
        '\n',
        '\n\n',
        '\t\t',
        '\r\n',
        ' \n',
        'a',
        '}',
        '\u00a0',
        '\u3000',
      ]),
    ),
  'paths and urls': lines((random) =>
    pick(random, [
      `/usr/lib/${pick(random, technical)}/${pick(random, rare)}/${hex(random, 7)}.so.${random(9)}`,
      `https://${pick(random, technical)}.example.org/${pick(random, english)}/${random(99999)}?utm_source=${letters(random, small, 7)}&q=%E4%BD%A0#${pick(random, english)}`,
      `C:\\Users\\${pick(random, rare)}\\AppData\\Local\\Temp\\${letters(random, base64Letters, 8)}.tmp`,
    ]),
  ),
  'random letters': (random, length) => letters(random, small, length),
  'random words': (random, length) =>
    repeat(length, () => `${letters(random, small, 1 + random(12))} `),
  'random capitals': (random, length) =>
    repeat(length, () => `${letters(random, small.toUpperCase(), 1 + random(12))} `),
  'random mixed case': (random, length) => letters(random, small + small.toUpperCase(), length),
  symbols: (random, length) => letters(random, '!@#$%^&*()_+-=[]{};:"|,.<>/?`~\\\'', length),
  'drawn lines': lines((random) =>
    pick(random, ['-', '=', '#', '*', '~', '_', '─', '━', '.', '█', '|', '+']).repeat(
      1 + random(100),
    ),
  ),
  'ansi escapes': (random, length) =>
    repeat(length, () => `\u001b[${random(50)}m${pick(random, english)}\u001b[0m `),
  'any unicode': (random, length) =>
    repeat(length, () =>
      String.fromCodePoint(
        pick(random, [
          random(0x80),
          random(0x800),
          random(0xd800),
          0xe000 + random(0x2000),
          0x10000 + random(0x20000),
        ]),
      ),
    ),
  'lone surrogates': (random, length) =>
    repeat(length, () => pick(random, ['\udc00', '\ud800 ', 'a'])),
  'special tokens': (random, length) =>
    repeat(length, () => pick(random, ['<|endoftext|>', '<|im_start|>', 'user', '\n'])),
} satisfies Readonly<Record<string, MakeText>>
