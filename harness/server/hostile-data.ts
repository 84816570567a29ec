/** What attackers send: hosts, origins, paths, content types and bodies. */

/** Names of other sites, of metadata services, and of this machine in other forms. */
export const evilHosts = [
  ...['evil.example', 'localhost.evil.example', 'evil.example:80', '169.254.169.254'],
  ...['metadata.google.internal', '0.0.0.0', '2130706433', '0x7f000001', '127.1'],
]

export const evilOrigins = [
  ...[
    'http://evil.example',
    'null',
    'https://localhost',
    'http://localhost.evil.example',
    'file://',
  ],
]

/** As pieces of a path, already escaped. */
export const traversals = [
  ...[
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e',
    '..%5c..%5cwindows',
    '%00',
    'a%00b',
    '%0d%0aX:1',
  ],
  ...['file:%2f%2f%2fetc%2fpasswd', 'http:%2f%2f169.254.169.254%2f', '__proto__', 'constructor'],
  ...[
    "'%20OR%201=1--",
    '%E2%80%AE',
    '%ud800',
    '%C0%AE%C0%AE',
    'x'.repeat(513),
    '%F0%9F%98%80',
    '-1',
  ],
  ...['99999999999999999999', '1e3', 'NaN', '%25', '%252e%252e'],
]

export const wrongTypes = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/jsonp', 'text/plain; application/json', 'application/xml'],
]

const nested = (open: string, close: string, depth: number) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`

export const deepJson = [
  '['.repeat(100_000),
  nested('[', ']', 65),
  nested('{"a":', '}', 1000),
  `{"messages":${nested('[', ']', 64)}}`,
]

export const wrongBodies = [
  ...['', '{', '[]', 'null', '1', '"text"', 'true', '{"a":1,}', '{"a":01}', 'undefined', '\u0000'],
  ...['{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}', '{"colour":"red"}'],
]

/** Addresses that a server must never open, in parts of messages. */
export function addressesOf(port: number): readonly string[] {
  const hosts = [
    ...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f000001'],
    ...['017700000001', '127.1', '0.0.0.0', '0', 'localhost.', 'LOCALHOST', '127.0.0.1.nip.io'],
    ...['user@127.0.0.1', '127.0.0.1%23@evil.example', 'evil.example@127.0.0.1'],
    ...['169.254.169.254', 'metadata.google.internal', '[fd00:ec2::254]', '10.0.0.1'],
  ]
  return hosts.flatMap((host) => [
    `http://${host}:${port}/latest/meta-data`,
    `https://${host}:${port}/`,
    `ftp://${host}:${port}/`,
  ])
}
