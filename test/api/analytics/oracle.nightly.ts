// Many more periods and zones.
import './oracle.test';
