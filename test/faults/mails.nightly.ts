// With ten times as many mails, and a server that stays away for minutes.
import './mails.test';
