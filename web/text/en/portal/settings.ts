export const settings = {
  data: 'Your data',
  export: 'Export my data',
  erase: 'Erase account',
  eraseForEver: 'Erase for ever',
  eraseWhat: 'Your name, address, links and clicks go for ever, in all programmes.',
  typeEmail: (email: string) => `Type ${email} to go on`,
};
