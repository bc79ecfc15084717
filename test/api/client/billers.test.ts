import { withClick as withPaddleClick } from '../../../packages/client/src/paddle';
import { withClick as withPolarClick } from '../../../packages/client/src/polar';

it('puts the click and the customer into what Paddle calls custom data, as it is spelt', () => {
  const items = [{ priceId: 'pri_1' }];
  expect(withPaddleClick({ items }, 'c-1', 'user-1')).toEqual({
    items,
    customData: { aff_click_id: 'c-1', customer_id: 'user-1' },
  });
  expect(withPaddleClick({ custom_data: { cart: 7 } }, 'c-1')).toEqual({
    custom_data: { cart: 7, aff_click_id: 'c-1' },
  });
  expect(withPaddleClick({ customData: null }, null)).toEqual({ customData: null });
});

it('puts them where Polar has them, and leaves an id that is there', () => {
  expect(withPolarClick({ products: ['p'], metadata: { cart: 7 } }, 'c-1', 'user-1')).toEqual({
    products: ['p'],
    metadata: { cart: 7, aff_click_id: 'c-1' },
    externalCustomerId: 'user-1',
  });
  expect(withPolarClick({ success_url: 'u', external_customer_id: 'mine' }, 'c-1', 'x')).toEqual({
    success_url: 'u',
    metadata: { aff_click_id: 'c-1' },
    external_customer_id: 'mine',
  });
  expect(withPolarClick({ products: ['p'] }, undefined)).toEqual({ products: ['p'] });
});
