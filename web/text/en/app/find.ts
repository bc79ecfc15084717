export const find = {
  title: 'Find anything',
  hint: 'A page, a partner, or any id of a sale',
  found: 'Found',
  page: 'Page',
  partner: 'Partner',
  sale: 'Sale',
  commission: 'Commission',
};
