import { groupOfClaims, namesAnother } from '../../../entities/rules/imports/groups';

const money = (group: string | null, ownCents: number, allCents = ownCents) => {
  return { group, ownCents, allCents };
};

describe('the group of a partner of several campaigns', () => {
  it('is that with most open money, over all their rows and in any case', () => {
    const claims = [
      { n: 2, groups: ['gold'], open: [money(null, 30), money('GOLD', 20)] },
      { n: 1, groups: ['Silver'], open: [money(null, 40)] },
    ];
    expect(groupOfClaims(claims)).toBe('gold');
  });

  it('is the first that is named where none has more', () => {
    const claims = [
      { n: 2, groups: ['B', 'A'], open: [] },
      { n: 1, groups: ['C'], open: [] },
    ];
    expect(groupOfClaims(claims)).toBe('C');
    expect(groupOfClaims([])).toBeNull();
    expect(groupOfClaims([{ n: 1, groups: [], open: [money(null, 5)] }])).toBeNull();
  });

  it('is decided by the currency of the import first', () => {
    const open = [money('A', 1, 900), money('B', 2, 2), money('C', 2, 3)];
    expect(groupOfClaims([{ n: 1, groups: ['A', 'B', 'C'], open }])).toBe('C');
  });

  it('leaves no other where the names are one in any case', () => {
    expect(namesAnother(['gold', 'GOLD'], 'Gold')).toBe(false);
    expect(namesAnother(['gold', 'Silver'], 'Gold')).toBe(true);
    expect(namesAnother([], null)).toBe(false);
  });
});
