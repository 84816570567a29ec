/** A text that comes in many small pieces; joined now and then, because each costs more than it holds. */
const joinedAt = 4_096

export class TextPieces {
  #length = 0
  #large: string[] = []
  #small: string[] = []

  get length(): number {
    return this.#length
  }

  get text(): string {
    return [...this.#large, ...this.#small].join('')
  }

  add(piece: string): void {
    this.#length += piece.length
    this.#small.push(piece)
    if (this.#small.length < joinedAt) return
    this.#large.push(this.#small.join(''))
    this.#small = []
  }
}
