import { judgeRefusal } from '../../../entities/rules/mail/smtp-reply';

describe('a refusal of the mail server', () => {
  it.each([
    ['RCPT TO', 550, '5.1.1 No such user', 'no_such_recipient'],
    ['RCPT TO', 550, '5.1.10 Recipient not found', 'no_such_recipient'],
    ['RCPT TO', 550, '5.2.1 Mailbox disabled', 'no_such_recipient'],
    ['RCPT TO', 450, '4.1.1 Try later', 'try_again'],
    ['RCPT TO', 550, 'No such user, says a server without codes', 'try_again'],
    ['RCPT TO', 553, "5.1.8 Sender's domain does not exist", 'try_again'],
    ['RCPT TO', 553, "5.1.7 Bad sender's mailbox address", 'try_again'],
    ['RCPT TO', 554, '5.7.1 Relay access denied', 'try_again'],
    ['RCPT TO', 552, '5.2.2 Mailbox full', 'try_again'],
    ['MAIL FROM', 530, '5.7.0 Authentication required', 'try_again'],
    ['MAIL FROM', 550, '5.7.60 No permission to send as this sender', 'try_again'],
    ['MAIL FROM', 550, '5.1.1 an odd place for it', 'try_again'],
    ['DATA', 554, 'Sending paused for this account', 'try_again'],
    ['DATA', 552, '5.3.4 Message too big', 'refused'],
    ['DATA', 554, '5.6.0 Cannot be converted', 'refused'],
    ['DATA', 554, '5.1.1 told late', 'try_again'],
    ['AUTH PLAIN', 535, '5.7.8 Bad credentials', 'try_again'],
    [undefined, undefined, 'Connection timeout', 'try_again'],
    ['RCPT TO', 600, '5.1.1 no such code', 'try_again'],
  ] as const)('to %s: %s %s is %s', (command, code, text, expected) => {
    expect(judgeRefusal({ command, code, text })).toBe(expected);
  });
});
