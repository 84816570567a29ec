/** Puts a delivery on a connection, and says how it ended. No timer outlives the connection. */
import type { ServerResponse } from 'node:http'
import type { BodyDelivery, Delivery } from './delivery.ts'
import type { FaultPace, ServedRequest } from './options.ts'

export async function send(
  response: ServerResponse,
  delivery: Delivery,
  pace: FaultPace,
): Promise<NonNullable<ServedRequest['ended']>> {
  switch (delivery.kind) {
    case 'silence':
      await closed(response)
      return 'left'
    case 'reset':
      response.socket?.resetAndDestroy()
      return 'cut'
    case 'body':
      return sendBody(response, delivery, pace)
  }
}

async function sendBody(
  response: ServerResponse,
  delivery: BodyDelivery,
  pace: FaultPace,
): Promise<NonNullable<ServedRequest['ended']>> {
  response.writeHead(delivery.status, delivery.headers)
  response.flushHeaders()
  for (const chunk of delivery.chunks) {
    if (response.destroyed) return 'left'
    if (delivery.pace === 'at-once') await write(response, chunk)
    else await writeSlowly(response, chunk, pace.byteEveryMs)
  }
  if (response.destroyed) return 'left'
  switch (delivery.ending) {
    case 'whole':
      response.end()
      await closed(response)
      return response.writableFinished ? 'whole' : 'left'
    case 'lost':
      response.destroy()
      return 'cut'
    case 'reset':
      // A reset overtakes what is still on its way, so the headers get time to arrive.
      await pause(response, pace.resetAfterMs)
      response.socket?.resetAndDestroy()
      return 'cut'
    case 'silence':
      await closed(response)
      return 'left'
  }
}

const encoder = new TextEncoder()

async function writeSlowly(
  response: ServerResponse,
  chunk: string,
  byteEveryMs: number,
): Promise<void> {
  for (const byte of encoder.encode(chunk)) {
    if (response.destroyed) return
    await write(response, Uint8Array.of(byte))
    await pause(response, byteEveryMs)
  }
}

/** Until the system has taken it, so that nothing piles up here and a cut comes behind it. */
function write(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      response.off('close', settle)
      resolve()
    }
    response.on('close', settle)
    response.write(chunk, settle)
  })
}

function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) {
      resolve()
      return
    }
    const settle = () => {
      clearTimeout(timer)
      response.off('close', settle)
      resolve()
    }
    const timer = setTimeout(settle, milliseconds)
    response.on('close', settle)
  })
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed || response.destroyed) resolve()
    else response.once('close', () => resolve())
  })
}
