// Every order of all six events.
import './permutations.test';
