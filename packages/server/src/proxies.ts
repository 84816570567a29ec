/** What a proxy says about a request, believed only where the proxy is in the settings. */
import { BlockList, isIP } from 'node:net'

/** How a client has reached the server. */
export interface Reached {
  readonly host: string
  readonly protocol: string
  /** The address of the client; null where the server does not know it. */
  readonly client: string | null
}

/**
 * `trusted`: addresses and networks such as `10.0.0.0/8`. Of another peer, forwarded headers are ignored.
 * The last host and protocol are those of the nearest proxy.
 */
export function createProxies(trusted: readonly string[]) {
  const list = new BlockList()
  for (const each of trusted) {
    const [address = '', bits] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (request: Request, peer: string | null): Reached => {
    const url = new URL(request.url)
    const address = peer?.replace(/^::ffff:/, '') ?? null
    const direct = {
      host: request.headers.get('host') ?? url.host,
      protocol: url.protocol.slice(0, -1),
      client: address,
    }
    if (address === null || !isTrusted(address)) return direct
    const forwarded = (name: string) => listIn(request.headers.get(name))
    const clients = forwarded('x-forwarded-for').filter((each) => isIP(each) !== 0)
    return {
      host: forwarded('x-forwarded-host').at(-1) ?? direct.host,
      protocol: forwarded('x-forwarded-proto').at(-1) ?? direct.protocol,
      client: clients.findLast((each) => !isTrusted(each)) ?? clients[0] ?? address,
    }
  }
}

function listIn(header: string | null): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
