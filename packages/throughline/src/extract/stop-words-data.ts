/** Words that say little about the subject of a text, as lists separated by spaces. */

/** Function words of several languages. A question is searched by the rest of its words. */
export const functionWords: readonly string[] = [
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

/**
 * English words that most conversations and their summaries share. Finding one of them proves
 * little.
 */
export const everydayWords: readonly string[] = [
  // Nouns of every conversation.
  'answer area aspect case chance change choice comment concern condition context conversation decision detail difference discussion effect end example experience fact feeling form group help hour idea information interest issue item kind level life list lot matter meeting member message minute moment month morning name need night number office opinion option order part people period person place plan point position possibility problem process progress project purpose question reason report request response rest result review role section session set side situation speaker start state status step stuff suggestion summary system task team term thing thought time today tomorrow tonight topic total turn type use user view way week weekend word work world year yesterday assistant participant support value test version file line page note draft',
  // Verbs of every conversation.
  'accept achieve act add address advise affect agree aim allow announce appear apply approach argue arrange ask assume attend avoid base become begin believe bring build call care carry cause check choose claim clarify come compare complete conclude confirm consider contact contain continue control cover create deal decide define depend describe determine develop differ discuss do draw emphasize enable encourage end ensure enter establish exist expect explain explore express face fail fall feel figure fill find finish focus follow gain get give go grow handle happen have hear help highlight hold hope identify imagine imply improve include increase indicate inform intend introduce involve join keep know lead learn leave let like listen live look lose love make manage mean measure meet mention miss move need note notice obtain occur offer open order organize pass pay perform plan play point prefer prepare present prevent produce promise propose provide push put raise reach read realize receive recommend reduce refer reflect relate remain remember remind remove repeat replace reply report represent request require resolve respond return run save say see seem select send serve set settle share show sit solve sound speak specify spend stand start stay stop study suggest support suppose take talk tell tend test think thank treat try turn understand update use wait walk want watch wish wonder work worry write summarize',
  // Their irregular past forms.
  'became began brought built came chose dealt drew fell felt found gave given gone got grew heard held kept knew known laid led left lost made meant met paid ran rose said sat saw seen sent shown spent spoke stood taken taught thought told took understood went won wore written wrote',
  // Adjectives and adverbs.
  'able actual additional afraid alone already always available aware away back bad basic beautiful best better big bit careful certain clear close common concrete correct current different difficult direct due early easy either else enough entire especially even ever every everybody everyone everything exact extra far fast few final fine finally first former forward free full further future general glad good great half happy hard high however huge important initial instead interesting kind large last late later least less likely little local long low main major many maybe mean minor most mutual near necessary never new next nice normal nothing obvious often okay old open original overall own particular past perfect perhaps personal positive possible potential previous probably proper quick quite rather ready real really recent regular related relevant right same second serious several short significant similar simple single small social something sometimes somewhat soon special specific still strong such suitable sure third though three today together too total true two typical useful usual various various very well whole wide willing wrong yes yet young',
]

/** Words that only acknowledge a message or ask to continue. */
export const courtesies: readonly string[] = [
  'ack agreed alright awesome bye cheers continue cool correct fine good great hello hey hi hmm indeed keep lgtm next nice nope ok okay perfect proceed right sure thank thanks thx understood well wow yeah yep yes',
  'bitte danke genau gerne gut hallo klar nein prima richtig super tschüss weiter weitermachen',
  'bien bonjour continuez accord entendu merci non oui parfait poursuivez salut très voilà',
  'adelante bueno claro continúa gracias hola perfecto sí sigue vale',
  'certo ciao claro continua grazie obrigada obrigado olá perfeito sim va vai bene sì',
  'bedankt dank doorgaan dankjewel ga goed graag hoi ja nee prima verder',
  'давай дальше ладно нет ок понятно привет продолжай спасибо хорошо да',
  '好 好的 谢谢 谢谢你 继续 是 是的 はい ありがとう ありがとうございます 続けて 네 감사합니다 계속',
]
