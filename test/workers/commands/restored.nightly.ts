// With what is away, and what cannot be read.
import './restored.test';
