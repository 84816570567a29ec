/**
 * The estimator's tables, made by `scripts/make-estimate-table.ts`; do not edit.
 * Each is packed into letters of `alphabet` and read by `estimate-letters.ts`.
 */
export const alphabet =
  '!"#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~'

/** Tokens that two neighbouring letters add: 28 x 28 of start, a to z, end. */
export const letterPairs =
  '111/.743144593550:4.77:19=<11<;99QH<FCKD9:7S>L6>5AEGE@H81BIIN?ONLADO9ON?NWBCQ>NORHQ81=RBM:PU4<' +
  'P0?WV7OO8N2=PTVMK91AHKI=JNN=NMGKLBINGDPDMLRPN*1CC8:I?@FAKH>>4J?D39AGCB0IG.1ASRQA:FR9TSDRQ<SSCP' +
  'ADUQQJR71GMMQ<PD9BSQGJBHOZ:GPGRSQMX11@PRL@TTP?PUHJ?>PMAJ<JPNRLN51A>3>?;;NQJE?A4-@I>;9O>VEV7>1B' +
  'PSQ@STYELGSRLGQWWCVBUMYX`<1DKMN=MNOFTNKNJFPWPDBISLVPU61=EJE7LHP7KO<GJ;IVOF@@JPU<U01:=PM6RTP:NP' +
  'F;I?8SSIPDOPUHS31@L:;A>5KAKEOQEANWN<7GGMVKH51I>>=SD9NJJD>>2C@W1DD;C0FKK81?PLP<OR<EPQ:PQ6>M5G;D' +
  'QTRMX31QMOUV^^SS_`JOTYQ<IQP,UVX`c=1<IB=9GBK>MDH?C<FOL?BDIKUDJ11EN>I<FJ:>SKMJHC?JO69ANGP;M*1=HB' +
  'I:IK25TOIAJ>IZ6@CAKCT@J01C:?BCBAT@JD=<3Q<Z9=8RHWIPN=1?QST4SKT;TQMRL@WUKQSKPISTV91:PRO7SPLCTOOR' +
  'C9N[EOUVPOIJ`71MMDOJM]TIS[SHUOC]TTGTTX<FN41DPJNFROVJRNQEEG@XQ@KMSKQRF&1ARSR;RVMDZT]SKJX_USRAXM' +
  'OJC81111111111111111111111111111'

/** Tokens that two neighbouring symbols add: each of `pairedSymbols` with each. */
export const symbolPairs =
  'J2),.*/+-6023,7174..*01276+1/*,2.JJJ;BIZfiXGLHh>>?RGN[1kR`HPS]Vedj`b0JJ_C=::OPS6OG1:AE6:G`K[DJ' +
  '09B>MQRKR2NJF`3CHe`igbMD_VXNh^jq]]IjhhFg9pfdAJJX[QBZe_N^e]He8>WSg`heVc=X_Ne5`W_7JJISLhEoaOOe_N' +
  'ENhbOnTbmFg@[Ffjhn`i4JJGb?_`3fGUi_H[d_aUmg`e`ccacEfXjg[1JJOL6@:TAQ7B>09=<7;CQFP<H8AF:[<SOE39J6' +
  '1J:9P=:2DEN<7=M9HHPVB;@XJ6>2JUG2JJGEHMHDNM9MC2:2F22?GBQeL9K<JJ=IN_.=J6SKLdL`DM4iC=E6SVaST^TMQd' +
  '^N^a]We/EJbGBMgaOIMi+CEEEGC_6WqbKDGbcg]b]b1JJTALN?DOR__TG7>OThMfbcDG>cEDjGj]_1HJ^W_>RSQOGK^A:U' +
  'NT?^KA`WLOT_DcN[Z^3JJG>34?QGFFI[=B7$DFFUZVGL>FN6KDEZO/LJaL7E:QNLU5LLNE3cbFMFBEN=O;Ic7[bL1CJeG?' +
  '>6AQWP?PIIJ4=`CC_cEEIK@ML7bab17JjDlWMDPRFbCJRVUfBWbcibg@Ydd[ejXg*BJ:]DB<HPJb_ddJ_0[b7ANHeD]aaA' +
  '^P`dj5JJD;866I5=dOdVCOBE];37E>@3g[FUDaE]=JJZDF<?EH<<A_8AB?D@,D>FFM:L]XFSNG`-GJJ@8HQbLELVc@?8K5' +
  'LC]N:aA<ZRF_`>[W4JJbTcRc^_TUbc]gdYR`f_ddBFCZjf`bldZGJJR4NR4XCDaPNEADIBYdbacKDU7Q??=cba/FJ]:eWb' +
  'bLGbSaFORRQVSWXac[F][^eUa`gSJJOG[aEIH@;CH/HCM88B8ROb<<ABD]@@I]/OJacXgWjk^Y]jdRUZ[^^IlcaHG^D]kF' +
  'l_`UJJdW`K9bP@G9f=FNKG@BY`acL=SL2aHFfa5JJaT_4:aERHf`8^BUF>Na_gbGODYS6LYMU9VJ]K]VCdZX`IeWKMPPT^' +
  'TXY:]Gck]aBEHf6LJbP[^]XGIg][cJYac`XP]iZR@eb]iZ7`d3JJF?U7<6;S9[C/>?><5?EQL<D6Hd;:<ACb-BJ]ccg]`c' +
  ']U`aK:aDYWaNihbdggdcneoi.[JJJJJJJJJJJJJJJJ=JJJJJJJJJJJJJJJJJ3YJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJ' +
  'J!J'

export const pairedSymbols = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\n\r'

/** Hashes of frequent words that are one token each, as gaps of two letters. */
export const commonWords =
  'O~1UBp5PNp)f(gJ|v!-QSJ)~+E$}Ur!K8p~~xaRq.p&e2m!-L!6>*@TMGR%9%s!u(QK2-57s3NXm,6#=$*!(&Ch:(PO`wW' +
  'P-/cgm!^29Uy%c!T?O1-%<(r(S"9$%!J0l#O*"a}!u(%.f5!(!){/=K=Sm8F}24G$FGO3N39>9%H,a8,Q7>=3q#tPu":Us' +
  '-W<X>)X+6]#U690%ML,f6f1p9N&4":wPPT#]Y#&[.I3Q0H6`RjD|$O*:6Y"i(i~~"I0ad!~~c2@b;+/|!}*XAZ$]TC.HRq' +
  '@d8X4Y>`<Z(x5v0pbjD$73-/=P.s?>b%~~-m^g-J%g=fT`-3JZ+r&J4*<GH7ag1*(A*F#|,RREeEKn@F"u$N$eF4)&*7(7' +
  ':}&:~~~~/SFS#CT2)>5)&|Qi1h:~{G%::ag"(+<%!I2Y+|?10sKTF`5|(T3`$J8aCu-Q~~?z@=1Ul.&zAN,A1x!O1`.XI(' +
  'P60_7&FiQA)z6d$S;&&|Ua(,6&!,?1(5G>8z0N8o#/~~%z;~%q933g>12S7i-f+W%,-k%UD/$H(s*^5^-)GoIQ(bL1+c7@' +
  'FSX29&$OOz&82U6c%5X;55#f00MN(R/aJ"#K"02B7bKp105m5g-J7z1.C61vP@&eC3$$Bu+8.g&,?X~~#:(%e&Q=7P"cJj' +
  '<?6A8,+6_*8F<3"(BYAy%r!Elml&v++:Xn#=.==0*5*&@c+q*;I*1b%z8W+e5/;|eUD%3^>FpHD>#)[3BjZJ!-tlGk;(YR' +
  '66KI-#&.l&.j3h!I,04O/9*"VF/BBE.QHN3:Bd:}9I$):x,A%w>e(Z!P%:,,!;@8x($P#p4,^@(~*nOF1&67JF2Q?>#;A`' +
  ',$3744#y$kT0"WK,+"18N~0d&Y$;$F3O2N-+8;$S6t~~BIJzeQfA6(##75</+<A-!N/gF2&d>=EA6-889r/p-U)W#%?D-=' +
  '<.6,#J(L!+*q??5e8J.]&j-Z6tEQ$"(Z;:$"?(=y#t=z:"EJ0[)"4h4X+A^+_>$3+=>pci"FEU0nIS5ot?3n%),5GY6]TE' +
  '.hB~h_+%+ABD38#s7j0+;q+*4I#c*:!/3t*A-=[y7+Dw5}8p$g&r#~B@1oElnQ~~Ct#6!R5#(Z)G!C5`tq0~"5,SY$+j!n' +
  '![+8C(#I$[3X#*?p!B:q)?"|(I-;Z"*/%S)I"@7<)r*3"jL,2I%K/cC9=_+072"H-w#~P!(W(b":"{2f-V2p&?F7kz(l7T' +
  '"WW]&{`!X45y1U+w%P.[$LEhH-:,&&:{/}@X$n,")v"(,5$h6b&,0h)>9L$T8=F%.k#t"~"|F3-+6eDY!>*/1&2d%"#W!*' +
  ';aHs&Q;R@ZSe{XNe!a+>X5%uD|#x~~#}-q%--|H-,FSw/A=%MQ%k6]%fA34!9Q~~CS?p#v-n0^)=GJE{$g"q5:7;:<)+Oo' +
  'NN>oYK&~)vy}V&0q~~=G/)BU&Z#{.g+D47T&!LKu;M4Va@aq#4E.*wBM~~~b"=<O8J";,!"i/)4nkz/:,&X35,&~!L$,&X' +
  'VT%e~~862Q)(+(B!M22w@*B}%?:2Rn+*C:(n~~#3H6@~*A(C(I@]Gf,Y+m1G7r=X%S"TC3*`A6!5NEA~@>&V&1*>E6"%e8' +
  '(5GP%D&+>8S`8i/lSY53X6=S(y:p%X/eS;^|FF&nW*,o511J^:9l0/"65(~~,]%v4>.^)MF-:Q!6D,$?ZU-|("/?-mX{;x' +
  'E:!M#Q)v%bSzmg-bB4a="DR_#N~~;[#CXZ@94B~~~~@Cc~,K~~/x[d+#IH$A:LE0CW+ZQ6@_?F@e%M)<adFI1|*4L3Y.A)' +
  '"V*CJ].FOD%=4+SwEF#(5+(p(p"R07&Q!]4q;=8E:e16F2-kKPay-~F9P8"@!y>6)[DzR-nrD+*bTf"((N=pE"Tl.Z"s*`' +
  '#g>XIE[s`bF>aq"X?7F8.z*?Jm!bdF?},L,4!=JkS]7%4?,nCMfaK0+P"pPhVJ7w<20+)W!Ezm[{((<a%I9e~~.a5|@i$L' +
  '!;+{,,;j(:.LRd3{!8)g7@,2Z<6s$CX8<1Tm?l!J6*)M*XQ]%U<n"%4H&5~~L<(m#u,l#.%w0?:L&+?k86u:QCH5QV%l!^' +
  '*"C~Je!ANI%z(n-3!jt/":<2>I/?B~+|87~~#Y.ZHJ,P9D~~&n,&).%W:(Dt@HWy$@5T%o>M+]_.~~K<+$P#5Oib%(tg%v' +
  '=3"+P#&!XV!NMY%>5=%+2[?I&12Y2L!zTj7X&)~~4S0@=*4`:n9y3}4p&F3pSKF3,[1+7;2zV_4l#6TT#/?m&H2].x|AcB' +
  '2`/sEaFp,5R4%T-=%Q]UWDEb7$~~"q&u$G4Y)@,#K[Rn/M"B@d<FD+"4!p(pFT"IjO0A)gQ3)<)8-T0G,R(FxtH-6v*L4.' +
  '%m":#K=0%%<IdE*A"p&y6m0R#P%L*i-#$R)r(3<d#d#R%-=VH@(POyZL)`=u.QAnB1%TMK!y4!%59X)-$:*="W_[%j&_?8' +
  '<-)&2h%C0%rfTw/<+])~=:&MWW63&Z9-%t5N(?O2#s.W9{gVR7$98pK;6FF+6;/SI26@7M;-V{!0#S$q%T<vS<?q`^.t/5' +
  '#a5kOVZN0IEG4>4&IM#UJ[~~&j-d<0&B2TD=66/Q&_6u$J/J!@!V)6i0@R0>;v4P0B681P.68*Z/24)RKY#n.B#w1=(9A<' +
  '"*&i6O~~&5#W&c#g|T!_/LMG$B.!Y8-4+;<l*)*#8=""1a+x;I3w.N)G*P9B=~)`La3;!i&x&n$W!x0!!G!g#;/o*g.,"y' +
  '<1(Q~~4q/y?G7r)U2<(AC61="<+}&$,j&SJT?*%!,[0o"T<f(^0K&p/D2K$p.)F~<C:8$D(%2o1GN<6f4O!z-Af{/7"$YT' +
  'DL(Y/A.:-q@Y-I(.%>D@W6!tig!@Kf}d<eP_Q[%vjC8q.o4sQK(//;"0,^+G%4F)-"B"!(329~2=*)9E0l*2,.=(!V?o1s' +
  '+/,v<odq(h#$+~t_389M!p)/BF)r5r$E9q//7W-G;%CDIU)/<#@n2"HjSa&/#F=vWn6b6D%:So,%An#3<s+z0i%v-9&T)w' +
  '4>RHA1(`3>@Q*5>M2Y)}7}B("*94)R0="3!H,N9$%(&t(?#F/r*m7!?x^=#M##(p+l,W7r%M4k#%%g!y:D0UAm#d#6$N$8' +
  '"hix<x3Q9X$x$#-s30#V]$-N<s(j.V(5.I!##d(e5pA[!e2?4$*3#B[I#B_.)R/H"N!V&)(*/b!CMD6`$R0]"5&@#ROb:(' +
  '1!Fc1%@G![!7&;>nER=I"^)Q%7%f)O%b%G=97G7+;q+&&N(HA[Vo/P)ZRQ4C3r//&P@8?kC_<v>u)j2q^EE60<B[6>(+*O' +
  '$.$j.v<W>4&Y+d@}4L<8=i<%;hWl3O=m70Es(R<%+l%gG|ch!YI6+kQX4p268.2S&")i#%&!fL4Y~~"C>_D<Se9e#?~~2L' +
  '.v~~+p*[;-+[QY9L<h7&*C)x7/BY.=(l(eV4JGE%#74!~~8h$/"k7N-n4E(/-FH0%gA8.M!/SK!fN3-5%O.v=%-;27?r&}' +
  'L,156{$kMwIs!^$F"}+R2*%|AU".<v1m7e%*)t41))9bM""^,H7M%c3u2eP3Kw#W-EUA2A)q*;+X6a4;!N*0(3"g)p-C:/' +
  ')h~~@u5z&=JG+sBI=Ak@,11F7t~~~~271xL)8uF=&Z#wBe/q-A&C!GZboC,C4$8kqH3Q8AWP*i/}RUE@"!,G+~+<"h$J!s' +
  '+Obk17MO!68)+a!_2G!c<.(G)XC3/%LL1Q(=8A@4""%]GI1u$`6e1qYr&_3R2Q:kGF--)GP/B8.<)+1_=#,#/j0e**/cOC' +
  '(%GZK78pIW!`#9!4N*3a9X#v%9!}0=0]5O(k!/3H8;214sY}%59:Wa(P.%)J?`&x2nR1FZ9##P%y0T.r3R,+53<..&"2&h' +
  '`Y9{)"L~#.k:DB8{%^H85c?-)xLu:Pby3d@d-TF]*[1(GO<X?j8S!@zL)+:>317>M$6h1s2$0&)b$X5B#;+w$$-_!<%Yb<' +
  '%O$B%TCfH28`&;#CE9H37)2zAw#c"1WaxJ7m&li@$qWAT{<S+a~~Up.B!}3HA#;CJ9~~H7%6&N(=-MGqZ.-}!(^E6H!;KG' +
  'KX1w#x#=,e:Y$U:lTR/2Ao:b!1#i&v#P"F1L%M7S4]6-(k#W9a2r<JW}37hy0#)U%!Yg(,8s9W%6"!rz-;&vRE6W"|;((C' +
  'Z;Oj4E""-r%N.Y$|Fy%R+s-BS45^$x?0)6Ipaz!|4rB>)97^5?![F1)V?t/<~~Q?2!oSX26a!K?uG.7LR*Cb%B(-C}H[%Q' +
  '/3!g~~,q%V])90.W8a>yEm8{/WO|#|1MHc/R#),3/e>9$XNu%~-2C:.][zBs*6^b7C8839&u&_<0!F1T)H1}U-3>u=.$)T' +
  '+)$CNUHcv]-f`}~~"c*L.t#[L9ed~~~~~~Ag!>,c)3?)#EUiV=?]L]-EJ*:0<p5@~!8<TS$_EK:hM(.MAT/+8M-r,n")/>' +
  '"/(=0!?|)6)r/36`-G-#!x)H"r$kMD+<U_.MK2?S*RG.E=B:7p(;"v>;FOa4#r7!#1qe$&!_]A&`-4JE~~)q)[!"(OSm,k' +
  ':!%&+U(T!r~~9(3LY.*S!il0Md&K3nJ!"L#o"$0(0["T7Q/X~~2gYy!`8<?{cf{kp8">5S&N5;8;:lQ-"t%za*+M9K>L$Z' +
  '&U)}#M56Ka%e[7$m(T,"8|RkMD$G)W.C"c#J4[~~!7F(<k/h:Duy!X3Z)p"|(49Q($+m&Z(D,7)E*D#`.x1j)g"|<PI~!]' +
  '.hA[(}4;%r=W")E*!?>#By&<kU0z*(4$&g~~gW&A#L?y>.3x&s/A&jJ2jl:1)K$5$e,?~~mO-""a2*(VF+V.#Y4-#u/c.:' +
  '-&<9/;D9&z$_WF%)!j/S+C4^,,!]%W&U"d`d~~:J$d;?<O/AH[?P&G?k-Y%J0`*8"4"&3##]5F(W*N*c7R"+>e4>%/3E/]' +
  '$S/C(m#l(p$^>F*<74F+?m*y2e#:$=0S$hC$Ry;GP:99+^#D%u,.$M5X,N7x%M)},C36$q2ZSp)1Os3]$c.#)$-L8##N(X' +
  ',m,O2>-K!k"6My/T4$%O0h#%"~Q_j5BZ0c!Q5J&vOC.#:K~~l4(="9=>+(_X0c#WL]0r+L%T)1.5(L0#"93iFW0|!q!@<i' +
  '3a[%C~.?Bq<x0e/TV+~~68=v!==:1k7,9:4s?V%B7b*:(].N&a%=6)(;.N624O]J-U.rYu+9(S-a!J)w)D6KA9)Y=3,R%A' +
  '8A9%&q"s$#!&*fXv8tgGHJ?K,RI1#pq}.A7}NH&H,s&uB:$},r:=&4!bcD5+40"~KUC>6j(piT6u:C+]!FR]$0"O960D:^' +
  '+-=Y-/1v2G&ZEM(qC5.#,$40E:.qA>B;H65&!`4,(fE>#n^z/gI**7/Q;^EV&U"C*T#<%$$)/?)N8l1!ImSY"u621{0f!"' +
  '<H.8@r"2"B$$<JC*6d,c<.#O#<:U:R^)JIPX?9%Y"xwmUO9g1J0w3x6&8"#,"?<Z/A!I$h%),%"dB-D<+yhU)w#["q*iK2' +
  '6XYRIs=qZ>)N#>?p.r!1(s+T"#AM!K;N.}5<4G(&(i#6/o+e9;$U)N"zFK*jF$$h!b"8%S-Y@Q:0#u7#>4"t,_F+"~~~:9' +
  '<|7{~~0^%6`f~~+v5+&5@F8Tf{&&?M0X~~)n.86l;G.;PP?K!19{g4)~(_[h&]:KF."(>J~~7j;7*I~~$.#;Wd-)1P23(`' +
  'M,&{%dqhB%6PA{*6D;=v~~s93A4ZG58^-9Da(N*QC=<R;s(|bW@?%a2U7-><#h~~:,:c@fiMZxK<y=0d!k&Q8N-k(l?*,8' +
  '4F._3O1F@7iFHL$~"t3.:e@2`_!o#_5<5x7qN#$r,75D>j5tNO/,((%-#XBe;y:*ID~~7e:$;?)r)C#S9eB^5zNU*[OCyu' +
  '-gA*#0;^)8-*3v!E:c$$3l+,/]&!=5:XL!*KVG,k(k+V3&>0Z,!lXK)d66BW;*/6#$d&Fn>A%v(H5>.@Cpi~(a*j$M~~"P' +
  '~~5":AHQ"w"x"n0@8&9,3=$N~~Dz7XI{,`jz*3$}"7,w=Q/l&[5UCC/9E.$u8)<TL*DPgcgH;%BB=E!,lB.>>/FA$y"R3T' +
  ')m*T/NY"hT_Q~~$b(|@N/YV{)h(Mds*&S?>Y0);[8u5v(w6x$X?-kL?^(<;=(d*A@o%A$=!#"j1L?q7(B+#H#n,m6W6^(w' +
  'S|)M+O$z&!EXdV;DBZ!J>xB:=P>L$yTK+e,p"%-17iTh~~$>()#)/$AW.$L}!t&f165^(|0T$g%F#!,X&A%I9=#W2.C`1!' +
  'J13SAY#$(`&Y:K!42a`0/ZBF:s7"5z-*>T(U,=EpAf!49&:(%sSH+R2u*r$`F->4;N2P2MF,1*_kS4r>80:{$s;v!x#W"u' +
  '(N!$"$#nK]?-;K:|VW2.-6$C8/C,H&7:,U*W<aEl(8.M&L$h%PAP$*$l&q*%3w9t&W.=+0!Q4("Y@[5}h]B2(0359("6Gc' +
  '%2NO"#VbE/9h?E%L*,&I?W7iIw%)$H!f$$5PLe~~[,"QLn:q+0~~4<;H/-7t%},m/k9a:Z6A70EHaI#-#P97+/#m6$+u~~' +
  '.-!}C0!CUE9$8M$O*v#H)r&f6!-B*pB)1`6EFH7=:V$}@C%z+j!3:z-ekO$44?$(0V/s5X.y1WHC@%&T9j#6#3&(%8S1-c' +
  '#C"Q$t#$T[~~2P)b<=7z<W(X&VBy?++K%B+1$0VS/n!fS%+(~~(C*r6P:D%S19=i!5$/!#&~%"G"AVJI(`)l+V#"(P6M3L' +
  '(+3iVO.5%P&&#c+k(q0LI$*A(1A:83*wE,23pYF8/FA8:S31!I/H!6(h""<*=_oi;u#>-P9P]*57iy8~h/5m~~"%#C!3"_' +
  'Oh"W&n~~hC%.*??Q2!~~:j/gO(<#6v*0%<10/g/3[W?7>`BVCUH"~~$C-5*C"*&Fa8!`PaB{VX/AKg4c-dK450I}6btP2X' +
  '6^$#Jn*z7UU<RiKn4r4#UII/.uB5)vDZE<Qbdv1?.("C=`#R+[4G;l"q%6H=(B<_(83xA`(T/w"6NM#1Z_(:2I+VG>Ck9e' +
  '"h-<%x.I(?*31:)n,N~~8qaC%Y7a55%X:$,E*iP=Zh&g1S9DNY&LWn(s;]FUK"U6*x?n/#!0-g<r0;86"-,XN?*6Q&3E*6' +
  '3b(<"jDF2j04;f8`IOOk&I,<:lLF$**E)?!,A9MPK&/k-zd$;*+^(@%3&UQA)("O?<*#7b$+-D)>Gv3!Kh*%2#$I"~R|1W' +
  '(q#A1e<B%~>!#I:w09;o#K"i/i$HM=!;B%(["E"G1e(E9@!/0tVE!r*P&L/$a,+z+42e_F(R!,++:-$O,K9x+ECq2FF2}S' +
  '(}:g:7)$~~CT<wc-$k-|&>AA#$%4A2SmQQUV.^3hX&?R&Ap~(aa%#H8d/g<1&f<E";11#=@`#{)q:y$L.c:z0r2g--L+_3' +
  'T^[NJU%8~~F9i5fG-""bH#<O"-Tb/+{V(s9DC1#I!u88)z)U$~?]Gz1#-10a0UGy9]1OIAO@"Y(3/R+k19B,!3]k/E0^+J' +
  '&y87.r%p.mU1;&=>`<,66}.ou/3WjH!(.$@P$[,?5pMz0La<+;7PD-L/@z$S21+B*Z)},E$**A:!5>L5o++27T7"Ck2[)6' +
  'B5yT~#BY5=-W#h7@-:ny$#;+-#!}&+@m3WBN(H)~,y3L;p;p/.#5MstYVYbGB22VPc-H;S.F6G*C$k/p#ZA9#S@Z7R2B0b' +
  ')G8!2+0A,={5"3Ic~~$?*8-Y?BGfQAvK[AXu#"9T/"*_%x"}(~dm$R(^.6)p7us<62&l(Q%;R2=4BSG>#r1b7v(cD^)j(E' +
  'fNrz?I;l&nbK<XoIO:0IBJ7-J`#IPm."3i&?0O*Z31-90r(6"FJ}XH?S+%K04O*}#J&Y(,"@7f5t1J2K8?#n#:+[$HG]"/' +
  '-Z5AYO&0UA<QZT0KUh61/8(N03.D/w$5/E%q+3&5T.*=&W$1>j-G-]#5"n<7,!40#75aD/2v.s.]+u+J)K&M(GO/&"$ndb' +
  '5S!K@c()=R0:D6*IMl9<$^*u6f-.R+~~B{~~R!A)~~"HG_%K"1#}NH%zH.!y!-<z(PL?8X#x!AInu%$%Jp>(*[:.:S!w#,' +
  '#2Mz],!*4-&uA1,X+/%Z3J1=#s*nCw3?Ae!uPi3G%)%zk2FhB<:X!w/g44!D@nT`!DgYRw.Y"7;%"t`v)}!X#*2A:{"W=2' +
  '=K7A)`.R"40V:6JU6e(v2^!qVb8N_bAT!?!V7R%g)7!$>6EhDW3zSyIOA[*P%M%t"R%G(".2"iXB3|#Z*k'

/** Han characters that are one token alone, as gaps from U+4E00. */
export const commonHan =
  '""#%""""#"&"####")""##$$####"""#"&#$"#"##%$""%#""&,"#-%%#"#"#"#"#"&"$$$#"##"""%*&""%&"#"&"""#"' +
  ',""&#(%"%#%+$##("""$#"%#+"%%%(%)"""$#%#"%$(,.)&2#$"#%*(,$""(/(%/$+3#%")(#$)1##+*-#+1#"*(61%)%8' +
  '#(F-H7##"""#"##$""#(-#""#""$"#"""""$""*"###"&)#"%.%#"##%&($$$0$"$#)#"*#"#$("$)"&""""#$%"%#&(""' +
  '#")&$$%5$#"&$$46$""")"")""((*-$%%#$#=(3"#B""&"#%"#%"$""""""#(""&%&"#"$",$"$#,$#&)#5%$"&""""""$' +
  '$#""-"""%""$"#"$""-"%""#""#"%#%$")""$"$&%"#$#*#0,(-#(""0",4#9)&6%"%$&@@"#7%&8"%<(0%"3*"9C<&/;-' +
  '?.~:$##",$#""($"*#$)%#)%&*$)%##&$&""($"#%&%;*Z-(-<"*A2$">$%(/:2%#&,;(F$##4$#%#("%#$$&#""$$$&"/' +
  '""#%#$#"00"#"""%&&"-$$&2-#-&&"#"(#.9##%3$"776.3=C,%",?Bj%"#""(%"#$1+###""#"$*"##"""""""")$&"#$' +
  '%""&#((",#)#$-#""""#"#"##""#"#""#$#%$)/)##""""""$&"%(+),#28%(*%(&K1(:~~;"$%"""($"#)(""#$%%()+&' +
  '#"""$$#&*2?""##$""#%"#%&%""#&$)"%#,4<5"$(#""(&(#")"3%##":"#/%$)"*#"%"$"$$"%#&)$*"%&"$((#"),""$' +
  '%)%,*$"/%$")%%#$32&#2)()58"$$##*5&)-%*)%>.%B+$$6&+u)Y1"""%#0%(###""$%"-#"$""#$-%##"%"&$&"",+##' +
  '"%#%#"((%)"*"$%&""##$"$($"$)+#"#"&#*2##,-=,$.+.&"$(+("$#"#*9("#+(.)=/#0"/,#"331+#0".(+",4$/.Y4' +
  ')$#$"($%$#(#+"$(%%"$12#-+#"+$"%%(%*+#$""""$"+%*%(#&"-"&$&#/#%+)")0(""%#%*&,&"3((J"5##%"$#""$&"' +
  '##,%##+#"""##+(#"$$&"""-$#%$&#""/"#$.)$#"/.0-"$"*+.#").%%#(,+/""$("$#%&4#3-%:+#)"2-)*6A&,a5*)"' +
  '&<Q/G&3(*#)C6<&~S8"""%-*%-$)0"""""$+""$%1"-A&)%*""$#"(2F#$$.%/%+"&#0*""$8$%#&"+%$(#"*+(#%#$&"-' +
  '(("$$*$,%,.%$)&*+$$%"&$&+,$"%($3",(#-#"($$E+,((%,$*-&"*$$+@#H""2(6C(+)$%.-$/&0+K%%3"U4/~k*##"&' +
  '+-&%>,""#.9)"(V&2(2/-$E7444,IL"%"""&,"%/#("&#+)U$).0)+..%4/"0"$(g.$##-&0("#+45/3&$F+"LGON)$2D#' +
  '#$$"&*"""##"#",)/.&"&(2-(6%$,#)#6~.,P""""(#"I:##(""%""$%%",(%($*#"5">%=(#l[%%(.#"4#@.79#A"$A,#' +
  '&Iu##:)")$&60:6#"#",#%"())+"-2#"B$#.))I#%&#.,(*H0&""&,)$:$4(<$#($#&@&#9,.%1)#GUNH*0+&/,29"G&%"' +
  '*)&"(#&%%"++#*%3&-"%?)5&?$*(*>L1"$n6#%"$#$$"##""%#%"#""&####$"$"#*#"$)*$6$#3-(9($1"%%5&%2(&6%-' +
  '(#.="%"##)%)>9#*%#%.&$&.($,-$"%($*+$(#*(#$7#&&1+9):&=$(&"?C$E)$("(/"&&#$)"-#%+0J$"%$%%=1$##&&2' +
  '##(0"-4U#3)#1#.*4&&-/("&725$4*3*$%3.0%(#A9;MgJB=D%#E0)~1#"%&&.0%m%2I<}9~{.)%%(##$E-(1#6"$,(%$"' +
  ')6&~47#&&%)%/$+,$""###"+3$<#(#%,4$%#)#;+%%-#8$"-(.#"$#/*%-h#N10,)+,+0"#%"%"""#(#%"""$##""$%%#$' +
  '$&$")##$$"#"$$#&$*+((+(1%9+156")"$-"$"%)9.4C##"""""""$##&"#""*$)"$&#%"$###)&%"""0&":22+&.#+)%#' +
  '<<"zLA$7=((C&+3?#"$#"&)#(#"$*#$&$&$#*"")"#""$%#"(#"$%"#""""-"&)#%$"""$$"&"##&"&"$0"($"(&$"#"&"' +
  '"#+$#%%")$)"%/4$%%/5$9&**s&G"3+;>$#"""#~:R.~KM$fvsv?9$$+$,(#;3+%%#"%(&+*&*;7=*"+#*11"L.#$"%#)(' +
  '%<-*""""&%&""#%"$4#&"(&""$$+%%""%)"D#%""-%%&%"&#."%&)(36(<%$&##)Dk8,.#""#"#**70"2")%(9"$""$"&#' +
  '-&""%"-H/$"2$:(:h"#8#0$1%;qg7%"&&$0&($,%*F%~+($,&(~~~3&=>O~~~K##,4(,C1:*)7")",$"((R&/=74D+.'

/** Hangul syllables that are one token alone, as gaps from U+AC00. */
export const commonHangul =
  '""$%*""$%$"`8%%*"#+6*"$%.")>"$%-#)%3E>>"$%/-V>%:"$%*"I%%*.*6w>>r~<2~C**+A2.%%*"$*%%.*7E**.5+"$' +
  '.&E%%/&"~8%~3>%%/E"$.&)"$$"*"##)5d"$..*o"$%/E6*%%")"I*oZ"$%-#E7)>w%~3~~~)5d"$."%)"$."#,6E"$%*"' +
  ',""$1+"$%*"$")>"$%+#d>>2"~%*6%%*J"$%*"##)"$##-#"("$s"$%6%:%3#C"$%*$~@%%~/>Z%%/#&""#$"*&)"v%%*"' +
  '-%%7$%/E"$%/)6~""$%3z>*R%%/#&~~~~%~O%s"$%*&)"6:I"$%+%)%%6%%.F"$%/EZ>"$%*g3->%%*"##E"$%*"%&#~7~' +
  '~~~>%.J"$:"$##*"$"&#"$%6"6E"$%*""""*%%6"$%*%")>"$%+-%2")>>"6)"$%*$+%%.*3-%:"$%/)%%*&)>"$%")"$*' +
  '"$%*"%)7b"$%*"%)"$:6F"$.&("Z>>"$%/)~7%%*&E"$%*"##)"=~~1~~~a"="$##*&"("v"$%*$#)>6F"$3bZ"$%*&)ZZ' +
  '"6E"$%*&)*6w%%*"-5+Z%%/~>~7>%%*J%%/)"$%/)"v%%6"$%*g"$3bZw>>"$%R"$.&)%%6"$s>>%3)>"$%*~&>**&~!>%' +
  '%R"$%-#)"$%*"%)6">E%..>"$%+%)>"$%*&)"$%/E"=>%s>O%)>%.'
