/** The least that makes a programme. */
export const minimalProgram = {
  name: 'Tea shop',
  websiteUrl: 'https://tea.example',
  commission: { type: 'percentage', rateBps: 2_000 },
};
