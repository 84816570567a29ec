/** Reads the body of a request within limits, before and after it is decompressed. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { Refusal } from '../problem.ts'
import { bytesOf } from '../read-body.ts'

export interface RequestBody {
  /** As it arrived. */
  readonly bytes: Uint8Array
  /** Decompressed; null where it is no UTF-8. */
  readonly text: string | null
  readonly isCompressed: boolean
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  deflate: promisify(inflate),
} as const

export async function readRequestBody(request: Request, maxBytes: number): Promise<RequestBody> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes)
    throw new Refusal('BODY_TOO_LARGE')
  const bytes = await bytesOf(request, maxBytes, request.signal)
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity') return { bytes, text: textOf(bytes), isCompressed: false }
  if (!Object.hasOwn(decoders, encoding))
    throw new Refusal('TYPE_REFUSED', `content-encoding ${encoding} is not known`)
  const decode = decoders[encoding as keyof typeof decoders]
  try {
    const decoded = await decode(bytes, { maxOutputLength: maxBytes })
    return { bytes, text: textOf(decoded), isCompressed: true }
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    throw new Refusal(isTooLarge ? 'BODY_TOO_LARGE' : 'BODY_INVALID', `the body is no ${encoding}`)
  }
}

/** With its byte order mark, if it has one: the same bytes come back. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
