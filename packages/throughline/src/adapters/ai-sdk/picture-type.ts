/** What kind of picture some bytes are. */

/** The kind of a picture by its first bytes; null where they say nothing. */
export function pictureType(data: Uint8Array | string): string | null {
  const head = typeof data === 'string' ? atob(data.slice(0, 16)) : latin(data.subarray(0, 12))
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF8')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  return null
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
