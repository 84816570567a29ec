/** Rules for pictures, documents and sound that both of OpenAI's formats share. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { isBase64 } from '../media.ts'
import { fieldsOf, isFilled } from '../unknown-json.ts'
import { base64In, isPicture } from './media.ts'
import { problem } from './rules.ts'

/** An address of a picture: on the web, or its bytes. */
export function* pictureProblems(url: unknown, at: string): Generator<RequestProblem> {
  if (typeof url !== 'string' || url === '') {
    yield problem('picture', at, 'must be an address or a data URL')
    return
  }
  if (base64In(url) === null) return
  const mediaType = url.slice('data:'.length, url.search(/[;,]/))
  if (!isPicture(mediaType))
    yield problem('media-type', at, 'must be a PNG, JPEG, GIF or WebP picture')
  yield* base64Problems(base64In(url), at)
}

function* base64Problems(data: unknown, at: string): Generator<RequestProblem> {
  if (!isFilled(data) || !isBase64(data))
    yield problem('base64', at, 'must be base64, padded and not empty')
}

/** The bytes of a document, as a data URL. */
export function* documentProblems(data: unknown, at: string): Generator<RequestProblem> {
  if (typeof data !== 'string') yield problem('file', at, 'must be a data URL')
  else yield* base64Problems(base64In(data) ?? data, at)
}

export function* audioProblems(audio: unknown, at: string): Generator<RequestProblem> {
  const fields = fieldsOf(audio)
  if (fields === null) {
    yield problem('audio', at, 'must hold data and a format')
    return
  }
  if (fields['format'] !== 'wav' && fields['format'] !== 'mp3')
    yield problem('audio', `${at}.format`, 'must be wav or mp3')
  yield* base64Problems(fields['data'], `${at}.data`)
}
