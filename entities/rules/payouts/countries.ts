const words = (text: string): string[] => text.trim().split(/\s+/);

/** Countries by their two letters (ISO 3166). */
export const countries: readonly string[] = words(`
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL
  BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV
  CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
  GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM
  IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK
  LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
  MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR
  PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS
  ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
  UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`);

const withIban = new Set(
  words(`
  AD AE AL AT AX AZ BA BE BG BH BR BY CH CR CY CZ DE DK DO EE EG ES FI FO FR GB
  GE GF GI GL GP GR GT HR HU IE IL IQ IS IT JO KW KZ LB LC LI LT LU LV LY MC MD
  ME MF MK MN MQ MR MT MU NC NI NL NO OM PF PK PL PM PS PT QA RE RO RS RU SA SC
  SD SE SI SK SM SO ST SV TF TL TN TR UA VA VG WF YE YT
  `),
);

/** Whether banks there have IBANs; elsewhere an account has a number, and the bank another. */
export const hasIban = (country: string): boolean => withIban.has(country);
