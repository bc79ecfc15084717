// With the compiler before this one, too.
import './package.test';
