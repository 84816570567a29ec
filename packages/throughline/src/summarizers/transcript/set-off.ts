/** Words of a message cannot pass for another speaker: a line of theirs that begins as one of ours does is set off. */
export function setOff(text: string): string {
  return text.replaceAll(asLabel, () => '> ')
}

const asLabel = /^(?=[ \t]{0,8}\[?(?:system|user|assistant|tool|segment)\b[^\n:]{0,120}:)/gim
