// Every dialog.
import './looks.test';
