/**
 * Words that hold sentences together and say nothing of what they are about, in the languages
 * whose questions are full of them. A question is searched by the rest of its words.
 */
const listed = [
  // English
  'a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing done down during each few for from further get give go had has have having he her here hers him his how i if in into is it its just let like may me might mine more most much must my no nor not now of off on once one only or other our out over own please same say shall she should so some such tell than that the their them then there these they this those through to too under until up upon us very was we were what when where which while who whom whose why will with would you your yours',
  // German
  'aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den der des dich die dies diese dir doch du durch ein eine einem einen einer es etwas euch für hat habe haben hatte hier ich ihm ihn ihr im in ist ja kann kein mein mich mir mit nach nein nicht noch nur ob oder ohne schon sein sich sie sind so über um und uns unser unter vom von vor war waren warum was weil welche wenn wer werden wie wir wird wo zu zum zur',
  // French
  'ai au aux avec ce ces cette comme dans de des du elle elles en est et eu il ils je la le les leur lui ma mais me mes moi mon ne nos notre nous on ont ou où par pas plus pour qu quand que quel quelle quels qui quoi sa sans se ses si son sont sur ta te tes ton tu un une vos votre vous était',
  // Spanish
  'al como con cual cuando de del desde donde el ella ellos en entre era eran es esa ese eso esta este esto fue ha hay la las le les lo los me mi más muy no nos o para pero por porque que quien qué se si sin sobre son su sus también te tu un una uno unos y ya yo',
  // Portuguese and Italian
  'ao aos até com da das do dos ela ele eles em era foi isso isto mais mas meu minha na nas nem no nos não ou para pela pelo quando quem se sem ser seu sua são também tem um uma você alla allo anche che chi ci come con cosa cui dal dalla degli dei del della delle di dove e gli ha hanno ho il io le lei loro lui ma mia mio nel nella non nostro per perché più quale quando questa questo sono su sul tra una uno è',
  // Dutch
  'aan als bij dan dat de deze die dit door een en er geen had heb heeft het hij hoe ik in is je kan maar me met mijn naar niet nog nu of om onder ons ook op over te tot uit van voor waar was wat we wel wie wij worden zal ze zijn zo zou',
  // Russian
  'а без бы был была были было в вас вот все вы где да для до его ее если есть же за и из или им их к как ко когда кто ли мне мы на над не него нее нет ни но о об он она они от по под при с со так там то только ты у уже чего чем что чтобы это этот я',
]

const words: ReadonlySet<string> = new Set(listed.flatMap((line) => line.split(' ')))

export function isFunctionWord(word: string): boolean {
  return words.has(word)
}
