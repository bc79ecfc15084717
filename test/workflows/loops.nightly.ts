// Histories as long as they get.
import './loops.test';
