export const join = {
  title: 'Join a programme',
  message: 'Message to the merchant',
  apply: 'Apply',
  approved: 'You are in.',
  pending: 'The merchant will answer you.',
};
