/** Whether services would fetch what stands at this address. */
export function isWebAddress(url: string): boolean {
  return /^https:\/\/\S+$/.test(url)
}
