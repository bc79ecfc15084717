// The same suite with the compiler before this one, too.
import './package.test';
