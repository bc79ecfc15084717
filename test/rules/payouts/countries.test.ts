import { isISO31661Alpha2 } from 'class-validator';
import { countrySpecs } from 'ibantools';
import { countries, hasIban } from '../../../entities/rules/payouts/countries';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

describe('countries to choose from', () => {
  it('are those that the API takes', () => {
    expect(countries).toEqual(pairs.filter((pair) => isISO31661Alpha2(pair)));
  });

  it('have IBANs where the registry of IBANs says so', () => {
    const registered = (country: string): boolean => countrySpecs[country]?.IBANRegistry === true;
    expect(countries.filter(hasIban)).toEqual(countries.filter(registered));
  });
});
